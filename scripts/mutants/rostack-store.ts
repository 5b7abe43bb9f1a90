import type { Mutant } from './mutant.ts';

export const rostackStoreMutants: readonly Mutant[] = [];
