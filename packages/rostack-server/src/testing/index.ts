export { sharedTokenStoreChecks } from './shared-token-store-checks.ts';
export type { SharedTokenStoreTarget } from './shared-token-store-target.ts';
