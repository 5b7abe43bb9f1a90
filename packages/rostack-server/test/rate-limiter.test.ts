import { OptionsError } from 'rostack-core';
import { expect, test, vi } from 'vitest';
import { createRateLimiter, type RateLimiterOptions, type SharedCounters } from '../src/rate-limit/index.ts';

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

test.each([
  { perAddress: { points: 0, windowMs: 60_000 } },
  { perPrincipal: { points: 1, windowMs: 999 } },
  { failuresPerAddress: { points: 0.5, windowMs: 60_000 } },
])('a budget out of range is refused: %j', (options) => {
  expect(() => createRateLimiter(options)).toThrow(OptionsError);
});
