import type { Mutant } from './mutant.ts';

export const rostackClientMutants: readonly Mutant[] = [];
