import type { Mutant } from './mutant.ts';

export const menuMutants: readonly Mutant[] = [];
