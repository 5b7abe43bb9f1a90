export type { CursorKeys, PageCursorKey, PageCursorKeyring } from './cursor-keys.ts';
export { deriveKeys, type ServerKeys } from './derive-keys.ts';
export type {
  Delivery,
  GatewayAlarm,
  GatewayHooks,
  ObservedConnection,
  ResetReason,
} from './gateway-hooks.ts';
export type { ErrorContext, HttpHooks, RequestOperation, RequestReport } from './http-hooks.ts';
export type { ServedImplementation } from './served-implementation.ts';
export type { RecordSources, ServedHooks, ServedOptions } from './served-options.ts';
