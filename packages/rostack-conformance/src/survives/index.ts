import type { Check } from '../check/check.ts';

export const survivesChecks: readonly Check[] = [];
