import {
  boolean,
  literal,
  milliseconds,
  nonEmpty,
  object,
  optional,
  string,
  tagged,
} from '../model/model.ts';
import { WEBSOCKET_ERROR_CODES, WEBSOCKET_ERRORS, type WebSocketErrorCode } from './websocket-errors.ts';

const type = literal('error');
const retryAfterMs = milliseconds(0);

function errorOf(code: WebSocketErrorCode) {
  const { retryable, subscription, retryAfter } = WEBSOCKET_ERRORS[code];
  return object({
    type,
    code: literal(code),
    message: nonEmpty,
    retryable: literal(retryable),
    subscription_id: subscription === 'required' ? nonEmpty : optional(string),
    ...(retryAfter ? { retry_after_ms: retryAfterMs } : {}),
  });
}

/** Error messages of release 2026-08-13: one closed shape per code. */
export const errorMessageModel20260813 = tagged(
  'code',
  Object.fromEntries(WEBSOCKET_ERROR_CODES.map((code) => [code, errorOf(code)])),
);

/** Error messages of release 2026-08-12: any code; a missing `retryable` means false. */
export const errorMessageModel20260812 = object({
  type,
  code: nonEmpty,
  message: nonEmpty,
  retryable: optional(boolean, false),
  subscription_id: optional(string),
  retry_after_ms: optional(retryAfterMs),
});
