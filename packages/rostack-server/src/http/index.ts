export { createRostackApp } from './app.ts';
export type {
  HttpSettings,
  RecordRenderer,
  RecordRenderers,
  RenderersOf,
  RostackAppOptions,
} from './options/app-options.ts';
export type { SharingOptions } from './options/sharing-options.ts';
export {
  addressKey,
  type ClientAddress,
  clientAddressBehind,
  forwardedAddress,
} from './request/client-address.ts';
export type { CorsOptions } from './request/cors.ts';
export {
  answerClientError,
  answerForNode,
  faultOfRequest,
  isRequestTimeout,
} from './request/node-requests.ts';
export { answerRefusal, type Refusal } from './request/refusal.ts';
export { PAGE_CURSOR_LIFETIME_MS } from './resource/page-cursor-seal.ts';
