import type { Mutant } from './mutant.ts';

export const cafeteriaWebMutants: readonly Mutant[] = [];
