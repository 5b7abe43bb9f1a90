import type { Check } from '../check/check.ts';

export const readsChecks: readonly Check[] = [];
