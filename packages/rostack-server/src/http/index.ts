export { createRostackApp } from './app.ts';
export type {
  HttpSettings,
  RecordRenderer,
  RecordRenderers,
  RenderersOf,
  RostackAppOptions,
} from './app-options.ts';
export { addressKey, type ClientAddress, clientAddressBehind, forwardedAddress } from './client-address.ts';
export type { CorsOptions } from './cors.ts';
export { PAGE_CURSOR_LIFETIME_MS } from './cursors.ts';
export { answerClientError, answerForNode, faultOfRequest, isRequestTimeout } from './node-requests.ts';
export { answerRefusal, type Refusal } from './refusal.ts';
export type { SharingOptions } from './sharing-options.ts';
