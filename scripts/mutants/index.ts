import { attachedTableMutants } from './attached-tables.ts';
import { cafeteriaWebMutants } from './cafeteria-web.ts';
import { menuMutants } from './menu.ts';
import type { Mutant } from './mutant.ts';
import { otherMutants } from './others.ts';
import { rostackClientMutants } from './rostack-client.ts';
import { rostackCoreMutants } from './rostack-core.ts';
import { rostackGatewayMutants } from './rostack-gateway.ts';
import { rostackServerMutants } from './rostack-server.ts';
import { rostackStoreMutants } from './rostack-store.ts';

/** All mutants that tests have to notice. */
export const mutants: readonly Mutant[] = [
  ...rostackCoreMutants,
  ...rostackServerMutants,
  ...rostackStoreMutants,
  ...attachedTableMutants,
  ...rostackClientMutants,
  ...rostackGatewayMutants,
  ...menuMutants,
  ...cafeteriaWebMutants,
  ...otherMutants,
];
