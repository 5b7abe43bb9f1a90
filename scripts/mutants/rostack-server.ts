import type { Mutant } from './mutant.ts';

export const rostackServerMutants: readonly Mutant[] = [];
