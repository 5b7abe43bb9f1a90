/// <reference lib="esnext.disposable" preserve="true" />
export type {
  ChangeResult,
  DeleteChange,
  EventNames,
  EventsByTransition,
  PutChange,
  StoreChange,
} from './apply/change.ts';
export * from './attach/index.ts';
export { restoreSqlite } from './backup/restore-sqlite.ts';
export type { PoolStatus } from './database/database.ts';
export type { WriteFault } from './database/write-health.ts';
export * from './errors/index.ts';
export type { HintBus } from './hints/hint-bus.ts';
export { openStore } from './open-store.ts';
export { storeUrlFault } from './options/store-url-fault.ts';
export type { PageExplanation, TriedStatement } from './page/explain-page.ts';
export type { RateLease, RateRequest, ReturnedRate } from './rate/rate-statements.ts';
export type { RateTable } from './rate/rate-table.ts';
export { checkResourceDefinition } from './resource/resolve-resource.ts';
export type {
  CompositeIndex,
  EventDefinition,
  JsonSchema,
  ResourceDefinition,
} from './resource/resource-definition.ts';
export { type StorableResource, toResourceDefinition } from './resource/to-resource-definition.ts';
export type { Store } from './store.ts';
export type {
  RetentionOptions,
  StoreOptions,
  StoreRole,
  StoreSettings,
  StoreStatus,
} from './store-options.ts';
export type { NewToken, TokenRecord } from './token/token-record.ts';
export type { TokenTable } from './token/token-table.ts';
export type {
  AppTransaction,
  KyselyTransaction,
  PostgresClient,
  SqliteConnection,
} from './within/app-transaction.ts';
