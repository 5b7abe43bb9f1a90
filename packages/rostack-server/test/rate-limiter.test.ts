import { OptionsError } from 'rostack-core';
import { expect, test, vi } from 'vitest';
import {
  createRateLimiter,
  type LeaseRequest,
  type RateLimiterOptions,
  type ReturnedLease,
  type SharedCounters,
} from '../src/rate-limit/index.ts';

const BUDGETS: RateLimiterOptions = {
  perAddress: { points: 3, windowMs: 60_000 },
  perPrincipal: { points: 2, windowMs: 60_000 },
  failuresPerAddress: { points: 1, windowMs: 60_000 },
};

test('a budget is granted point by point, then the waiting time is told; scopes and keys are counted apart', async () => {
  const limiter = createRateLimiter(BUDGETS);
  expect(await limiter.consume('address', 'a', 2)).toBe(0);
  expect(await limiter.consume('address', 'a', 1)).toBe(0);
  const waitMs = await limiter.consume('address', 'a', 1);
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(60_000);
  expect(await limiter.consume('address', 'b', 1)).toBe(0);
  expect(await limiter.consume('principal', 'a', 1)).toBe(0);
  expect(await limiter.consume('failure', 'a', 1)).toBe(0);
  expect(await limiter.consume('failure', 'a', 1)).toBeGreaterThan(0);
});

test('a budget is granted again once its window has ended, which begins with the first point', async () => {
  vi.useFakeTimers();
  try {
    const limiter = createRateLimiter(BUDGETS);
    await limiter.consume('principal', 'a', 2);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await limiter.consume('principal', 'a', 1)).toBe(20_000);
    expect(await limiter.consume('principal', 'b', 2)).toBe(0);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await limiter.consume('principal', 'a', 2)).toBe(0);
    expect(await limiter.consume('principal', 'b', 1)).toBe(40_000);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await limiter.consume('principal', 'b', 1)).toBe(0);
    expect(await limiter.consume('principal', 'a', 1)).toBe(20_000);
  } finally {
    vi.useRealTimers();
  }
});

test('servers that count together have a budget for each scope', async () => {
  const used = new Map<string, number>();
  const counters: SharedCounters = {
    lease: async (requests) =>
      requests.map(({ scope, key, budget, points, spent }) => {
        const before = (used.get(`${scope} ${key}`) ?? 0) + spent;
        const granted = Math.max(0, Math.min(points, budget.points - before));
        used.set(`${scope} ${key}`, before + granted);
        return { points: granted, window: 1, remainingMs: budget.windowMs };
      }),
    giveBack: async () => {},
  };
  await using one = createRateLimiter({ ...BUDGETS, shared: { counters } });
  await using other = createRateLimiter({ ...BUDGETS, shared: { counters } });
  for (const [scope, points] of [
    ['address', 3],
    ['principal', 2],
    ['failure', 1],
  ] as const) {
    let granted = 0;
    for (let turn = 0; turn < 3; turn += 1)
      for (const limiter of [one, other]) if ((await limiter.consume(scope, 'a', 1)) === 0) granted += 1;
    expect([scope, granted]).toEqual([scope, points]);
  }
});

/** Counters of which a test says what is left, in which window; they note what they are asked for and given back. */
function scriptedCounters() {
  const asked: LeaseRequest[] = [];
  const returned: ReturnedLease[] = [];
  const script = { left: Number.POSITIVE_INFINITY, window: 1, isDown: false };
  const counters: SharedCounters = {
    lease: async (requests) => {
      if (script.isDown) throw new Error('down');
      asked.push(...requests);
      return requests.map(({ points }) => {
        const granted = Math.min(points, script.left);
        script.left -= granted;
        return { points: granted, window: script.window, remainingMs: 60_000 };
      });
    },
    giveBack: async (leases) => void returned.push(...leases),
  };
  return { counters, asked, returned, script };
}

/** Its leases grow to 4 points. */
const LARGE = { points: 200, windowMs: 60_000 };

/** When what is asked for ahead of need has come as well. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('points that were leased in a window are not spent in the next one', async () => {
  const { counters, script } = scriptedCounters();
  await using limiter = createRateLimiter({ perAddress: LARGE, shared: { counters } });
  for (let count = 1; count <= 5; count += 1) {
    expect(await limiter.consume('address', 'a', 1)).toBe(0);
    await settled();
  }
  // Two are held: with the next one it asks for more, and learns that there is another window.
  Object.assign(script, { window: 2, left: 3 });
  expect(await limiter.consume('address', 'a', 1)).toBe(0);
  await settled();
  let granted = 0;
  while ((await limiter.consume('address', 'a', 1)) === 0) granted += 1;
  expect(granted).toBe(3);
});

test('points that were given back are no longer spent', async () => {
  vi.useFakeTimers();
  try {
    const { counters, returned, script } = scriptedCounters();
    await using limiter = createRateLimiter({ perAddress: LARGE, shared: { counters } });
    for (let count = 1; count <= 2; count += 1) expect(await limiter.consume('address', 'a', 1)).toBe(0);
    script.left = 0;
    await vi.advanceTimersByTimeAsync(LARGE.windowMs / 4);
    expect(returned).toMatchObject([{ scope: 'address', points: 1, window: 1 }]);
    expect(await limiter.consume('address', 'a', 1)).toBeGreaterThan(0);
  } finally {
    vi.useRealTimers();
  }
});

test('what was granted while the counters did not answer is told to them once', async () => {
  vi.useFakeTimers();
  try {
    const { counters, asked, script } = scriptedCounters();
    await using limiter = createRateLimiter({ perAddress: LARGE, shared: { counters } });
    script.isDown = true;
    for (let count = 1; count <= 3; count += 1) expect(await limiter.consume('address', 'a', 1)).toBe(0);
    script.isDown = false;
    await vi.advanceTimersByTimeAsync(1_000);
    for (let count = 1; count <= 8; count += 1) {
      expect(await limiter.consume('address', 'a', 1)).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(asked.map(({ spent }) => spent)).toEqual([4, ...asked.slice(1).map(() => 0)]);
  } finally {
    vi.useRealTimers();
  }
});

test('a server asks for no more than it needs, however often requests had to wait', async () => {
  const { counters, asked } = scriptedCounters();
  await using limiter = createRateLimiter({
    perAddress: { points: 50, windowMs: 60_000 },
    shared: { counters },
  });
  for (let count = 1; count <= 5; count += 1) expect(await limiter.consume('address', 'a', 1)).toBe(0);
  expect(asked.map(({ points }) => points)).toEqual([1, 1, 1, 1, 1]);
});

test.each([
  { perAddress: { points: 0, windowMs: 60_000 } },
  { perPrincipal: { points: 1, windowMs: 999 } },
  { failuresPerAddress: { points: 0.5, windowMs: 60_000 } },
])('a budget out of range is refused: %j', (options) => {
  expect(() => createRateLimiter(options)).toThrow(OptionsError);
});
