import { randomUUID } from 'node:crypto';
import { expecting, withSubstitute } from 'rostack-core';
import type { HttpHooks } from '../../options/http-hooks.ts';

/** Request ids accepted from clients: long enough for any tracing scheme, harmless in logs and header fields. */
export const SANE_REQUEST_ID = /^[0-9A-Za-z._~:+/=-]{1,128}$/;

const aTime = expecting('milliseconds since 1970', Number.isFinite);
const aRequestId = expecting(
  '1 to 128 letters, digits or any of . _ ~ : + / = -',
  (id) => typeof id === 'string' && SANE_REQUEST_ID.test(id),
);

/** The caller's clock; if it fails, the failure is reported and the process's own clock is used. */
export function guardClock(clock: (() => number) | undefined, hooks: HttpHooks): () => number {
  if (clock === undefined) return Date.now;
  return withSubstitute('clock', clock, aTime, Date.now, telling(hooks));
}

/** The caller's request ids; if one cannot be sent in a header field, a random UUID is used. */
export function guardRequestIds(makeRequestId: (() => string) | undefined, hooks: HttpHooks): () => string {
  if (makeRequestId === undefined) return randomUUID;
  return withSubstitute('makeRequestId', makeRequestId, aRequestId, () => randomUUID(), telling(hooks));
}

const telling =
  ({ onError }: HttpHooks) =>
  (error: unknown): void =>
    onError?.(error, { requestId: '', operation: undefined, resource: undefined });
