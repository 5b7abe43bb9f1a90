import { disarmPromise } from 'rostack-core';
import { StoreOptionsError } from '../errors/index.ts';

/** A clock whose word is checked: a call that needs the time fails when there is none. @throws StoreOptionsError from what it returns */
export function guardClock(nowMs: () => number): () => number {
  return () => {
    const now = ask('nowMs', nowMs);
    if (typeof now === 'number' && Number.isFinite(now) && now >= 0) return Math.floor(now);
    throw new StoreOptionsError(`nowMs gave ${String(now)}: use milliseconds since 1970`);
  };
}

/** Ids of epochs and tags of versions stand in texts whose parts are told apart by other characters. */
export function guardRandomId(randomId: () => string): () => string {
  return () => {
    const id = ask('randomId', randomId);
    if (typeof id === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(id)) return id;
    throw new StoreOptionsError(
      `randomId gave ${typeof id === 'string' ? JSON.stringify(id) : typeof id}: use 8 to 64 letters, digits, - and _`,
    );
  };
}

function ask(name: string, source: () => unknown): unknown {
  let value: unknown;
  try {
    value = source();
  } catch (cause) {
    throw new StoreOptionsError(`${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  // A promise is no answer; it is refused, and must not end the process when it is rejected.
  disarmPromise(value, () => {});
  return value;
}
