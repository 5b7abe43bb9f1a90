import { randomUUID } from 'node:crypto';
import { ignoreRejection } from 'rostack-core';
import type { HttpHooks } from '../options/http-hooks.ts';

/** What is taken over from a client: long enough for any tracing scheme, harmless in logs and header fields. */
export const SANE_REQUEST_ID = /^[0-9A-Za-z._~:+/=-]{1,128}$/;

function isSaneRequestId(id: unknown): boolean {
  return typeof id === 'string' && SANE_REQUEST_ID.test(id);
}

/** The clock of the caller, and the process's own where that one fails: it is told, and the request is answered. */
export function guardClock(clock: (() => number) | undefined, hooks: HttpHooks): () => number {
  return clock === undefined ? Date.now : withSubstitute('clock', clock, Number.isFinite, Date.now, hooks);
}

/** The caller's request ids, and random UUIDs where it gives none that may stand in a header field. */
export function guardRequestIds(makeRequestId: (() => string) | undefined, hooks: HttpHooks): () => string {
  if (makeRequestId === undefined) return randomUUID;
  return withSubstitute('makeRequestId', makeRequestId, isSaneRequestId, randomUUID, hooks);
}

function withSubstitute<T>(
  name: string,
  call: () => T,
  fits: (value: unknown) => boolean,
  instead: () => T,
  { onError }: HttpHooks,
): () => T {
  const tell = (error: unknown): void =>
    onError?.(error, { requestId: '', operation: undefined, resource: undefined });
  return () => {
    try {
      const value = call();
      if (fits(value)) return value;
      ignoreRejection(value, tell);
      tell(new TypeError(`The option ${name} returned ${typeof value} ${String(value)}.`));
    } catch (error) {
      tell(error);
    }
    return instead();
  };
}
