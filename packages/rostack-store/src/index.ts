export type { ChangeResult, DeleteChange, PutChange, StoreChange } from './apply/change.ts';
export * from './errors/index.ts';
export type { HintBus } from './hints/hint-bus.ts';
export { openStore } from './open-store.ts';
export type { EventDefinition, JsonSchema, ResourceDefinition } from './resource/resource-definition.ts';
export type { Store } from './store.ts';
export type { RetentionOptions, StoreAlarm, StoreOptions } from './store-options.ts';
export type { NewToken, TokenRecord } from './token/token-record.ts';
export type { TokenTable } from './token/token-table.ts';
