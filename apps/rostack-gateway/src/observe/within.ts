import { setTimeout as wait } from 'node:timers/promises';

/** What work gives, or `late` when it takes longer; it goes on all the same. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | 'late'> {
  const ended = new AbortController();
  const late = wait(timeoutMs, 'late' as const, { signal: ended.signal }).catch(() => 'late' as const);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}
