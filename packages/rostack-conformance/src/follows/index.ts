import type { Check } from '../check/check.ts';

export const followsChecks: readonly Check[] = [];
