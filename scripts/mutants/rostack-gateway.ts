import type { Mutant } from './mutant.ts';

export const rostackGatewayMutants: readonly Mutant[] = [];
