export { createRostackApp } from './app.ts';
export type {
  RecordRenderer,
  RecordRenderers,
  RenderersOf,
  RostackAppOptions,
  ServedImplementation,
} from './app-options.ts';
export { addressKey, type ClientAddress, clientAddressBehind } from './client-address.ts';
export { AppConfigurationError } from './configuration-error.ts';
export type { CorsOptions } from './cors.ts';
export { type CursorKeys, PAGE_CURSOR_LIFETIME_MS } from './cursors.ts';
export type { ErrorContext, HttpHooks, RequestOperation, RequestReport } from './hooks.ts';
export { answerClientError, answerForNode, faultOfRequest, isRequestTimeout } from './node-requests.ts';
export { answerRefusal, type Refusal } from './refusal.ts';
