/// <reference lib="esnext.disposable" preserve="true" />

export * from './attach/index.ts';
export { restoreSqlite } from './backup/restore-sqlite.ts';
export type {
  AppTransaction,
  KyselyTransaction,
  PostgresClient,
  SqliteConnection,
} from './drivers/app-transaction.ts';
export type { PoolStatus } from './drivers/database.ts';
export { PreferredTls } from './drivers/postgres/session/preferred-tls.ts';
export type { WriteFault } from './drivers/write-health.ts';
export * from './errors/index.ts';
export type { HintBus } from './log/hints/hint-bus.ts';
export type { PageExplanation, TriedStatement } from './page/explain-page.ts';
export type { RateLease, RateRequest, ReturnedRate } from './rate/rate-statements.ts';
export type { RateTable } from './rate/rate-table.ts';
export { checkResourceDefinition } from './schema/resource/resolve-resource.ts';
export type {
  CompositeIndex,
  EventDefinition,
  JsonSchema,
  ResourceDefinition,
} from './schema/resource/resource-definition.ts';
export { type StorableResource, toResourceDefinition } from './schema/resource/to-resource-definition.ts';
export { openStore } from './store/open-store.ts';
export { storeUrlFault } from './store/options/store-url-fault.ts';
export type { Store } from './store/store.ts';
export type {
  RetentionOptions,
  StoreOptions,
  StoreRole,
  StoreSettings,
  StoreStatus,
} from './store/store-options.ts';
export type { NewToken, TokenRecord } from './token/token-record.ts';
export type { TokenTable } from './token/token-table.ts';
export type {
  ChangeResult,
  DeleteChange,
  EventNames,
  EventsByTransition,
  PutChange,
  StoreChange,
} from './write/apply/change.ts';
