import { ignoreRejection } from 'rostack-core';
import { StoreOptionsError } from '../../errors/index.ts';

/** A checked clock: a call that needs the time fails if there is none. @throws StoreOptionsError from the returned function */
export function guardClock(nowMs: () => number): () => number {
  return () => {
    const now = ask('nowMs', nowMs);
    if (typeof now === 'number' && Number.isFinite(now) && now >= 0) return Math.floor(now);
    throw new StoreOptionsError(`nowMs returned ${String(now)}: use milliseconds since 1970`);
  };
}

/** Ids of epochs and tags of versions are parts of texts that use other characters as separators. */
export function guardRandomId(randomId: () => string): () => string {
  return () => {
    const id = ask('randomId', randomId);
    if (typeof id === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(id)) return id;
    throw new StoreOptionsError(
      `randomId returned ${typeof id === 'string' ? JSON.stringify(id) : typeof id}: use 8 to 64 letters, digits, - and _`,
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
  // A promise is not a valid answer: it is refused, and its rejection must not end the process.
  ignoreRejection(value, () => {});
  return value;
}
