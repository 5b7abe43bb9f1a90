import { afterEach, expect, test, vi } from 'vitest';
import type { RostackClient } from '../client/client.ts';
import { FollowCache } from './follow-cache.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a follow is shared while somebody looks at it and a while longer, and then forgotten', () => {
  vi.useFakeTimers();
  let open = 0;
  const client = {
    follow: () => {
      open += 1;
      return {
        records: new Map(),
        run: () => new Promise(() => {}),
        close: async () => {
          open -= 1;
        },
      };
    },
  };
  const cache = new FollowCache(client as unknown as RostackClient, []);
  const first = cache.get('stations', {});
  const leave = first.subscribe(() => {});
  const leaveChanges = first.watch(() => {});
  expect([cache.get('stations', {}) === first, open]).toEqual([true, 1]);
  leave();
  // Somebody who only hears of changes keeps it, too.
  vi.advanceTimersByTime(10_000);
  expect([cache.get('stations', {}) === first, open]).toEqual([true, 1]);
  leaveChanges();
  vi.advanceTimersByTime(999);
  expect([cache.get('stations', {}) === first, open]).toEqual([true, 1]);
  vi.advanceTimersByTime(1);
  expect([cache.get('stations', {}) === first, open]).toEqual([false, 0]);
});
