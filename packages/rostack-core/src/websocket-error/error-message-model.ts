import { z } from 'zod';
import { annotate } from '../model/constraints.ts';
import { milliseconds, nonEmpty } from '../model/text.ts';
import { WEBSOCKET_ERROR_CODES, WEBSOCKET_ERRORS, type WebSocketErrorCode } from './websocket-errors.ts';

const type = z.literal('error');
const retryAfterMs = milliseconds(0);

function errorOf(code: WebSocketErrorCode) {
  const { retryable, subscription, retryAfter } = WEBSOCKET_ERRORS[code];
  return z.strictObject({
    type,
    code: z.literal(code),
    message: nonEmpty,
    retryable: z.literal(retryable),
    subscription_id: subscription === 'required' ? nonEmpty : z.string().optional(),
    ...(retryAfter ? { retry_after_ms: retryAfterMs } : {}),
  });
}

const [first, ...rest] = WEBSOCKET_ERROR_CODES.map(errorOf);

/** Error messages of release 2026-08-13: one closed shape per code. */
export const errorMessageModel20260813 = annotate(
  z.discriminatedUnion('code', [first ?? errorOf('internal_error'), ...rest]),
  { id: 'error' },
);

/** Error messages of release 2026-08-12: any code; a missing `retryable` means false. */
export const errorMessageModel20260812 = annotate(
  z.strictObject({
    type,
    code: nonEmpty,
    message: nonEmpty,
    retryable: annotate(z.boolean().optional(), { default: false }),
    subscription_id: z.string().optional(),
    retry_after_ms: retryAfterMs.optional(),
  }),
  { id: 'error' },
);
