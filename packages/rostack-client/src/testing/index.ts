export { stateStoreChecks } from './state-store-checks.ts';
export type { StateStoreTarget } from './state-store-target.ts';
