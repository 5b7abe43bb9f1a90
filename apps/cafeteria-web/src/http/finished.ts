import type { Context } from 'hono';

const KEY = 'finished';

/** Says that the response already carries the headers that every response must have. */
export function markFinished(c: Context): void {
  c.set(KEY, true);
}

export function isFinished(c: Context): boolean {
  return c.get(KEY) === true;
}
