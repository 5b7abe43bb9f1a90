import type { RateLimitBudget } from './rate-limit.ts';

/** Takes points of one scope. Returns 0, or the time in ms to wait. */
export type Limit = (key: string, points: number) => number;

/** Counts in this process. All windows have the same length, so the map, ordered by their start, is also ordered by their end. */
export function limitInMemory({ points, windowMs }: RateLimitBudget): Limit {
  const windows = new Map<string, { used: number; readonly endMs: number }>();
  return (key, count) => {
    const nowMs = performance.now();
    let window = windows.get(key);
    if (window === undefined || window.endMs <= nowMs) {
      for (const [ended, { endMs }] of windows) {
        if (endMs > nowMs) break;
        windows.delete(ended);
      }
      window = { used: 0, endMs: nowMs + windowMs };
      windows.set(key, window);
    }
    window.used += count;
    return window.used <= points ? 0 : Math.max(Math.ceil(window.endMs - nowMs), 1);
  };
}
