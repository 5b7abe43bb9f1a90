import { type ConnectionSlot, createRateLimiter } from 'rostack-server';
import { describe, expect, test, vi } from 'vitest';
import { ConnectionCounters } from './connection-counters.ts';
import { RateCounters } from './rate-counters.ts';

describe('rates of several workers', () => {
  test('are granted to the budget together, and what one gives back another has', async () => {
    const rates = new RateCounters();
    const limiter = () =>
      createRateLimiter({
        perPrincipal: { points: 500, windowMs: 3_600_000 },
        shared: {
          counters: {
            lease: async (requests) => rates.lease(requests),
            giveBack: async (leases) => rates.giveBack(leases),
          },
        },
      });
    const [one, other] = [limiter(), limiter()];
    const grant = async (from: typeof one, count: number) => {
      let granted = 0;
      for (let asked = 0; asked < count; asked += 1) {
        if ((await from.consume('principal', 'me', 1)) === 0) granted += 1;
      }
      return granted;
    };
    const first = await grant(one, 200);
    expect(first).toBe(200);
    await one.close();
    expect(await grant(other, 400)).toBe(300);
    await other.close();
  });
});

test('points that a worker granted while it could not ask are counted before those that it asks for', () => {
  const rates = new RateCounters();
  const lease = (points: number, spent: number) =>
    rates.lease([
      { scope: 'principal', key: 'me', budget: { points: 10, windowMs: 1_000_000 }, points, spent },
    ])[0]?.points;
  expect(lease(4, 3)).toBe(4);
  expect(lease(4, 1)).toBe(2);
  expect(lease(1, 0)).toBe(0);
});

test('points that come back to a window that is over are lost', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const rates = new RateCounters();
    const at = { scope: 'principal', key: 'me' } as const;
    const lease = (points: number) =>
      rates.lease([{ ...at, budget: { points: 10, windowMs: 1_000 }, points, spent: 0 }])[0];
    const first = lease(10);
    expect(first).toMatchObject({ points: 10, remainingMs: 1_000 });
    expect(lease(1)).toMatchObject({ points: 0, window: first?.window });
    rates.giveBack([{ ...at, points: 4, window: first?.window ?? 0 }]);
    expect(lease(10)).toMatchObject({ points: 4 });
    vi.advanceTimersByTime(1_000);
    expect(lease(10)).toMatchObject({ points: 10, remainingMs: 1_000 });
    rates.giveBack([{ ...at, points: 10, window: first?.window ?? 0 }]);
    expect(lease(1)).toMatchObject({ points: 0 });
  } finally {
    vi.useRealTimers();
  }
});

describe('places of several workers', () => {
  const claims: readonly ConnectionSlot[] = [
    { scope: 'all', key: '', max: 3 },
    { scope: 'address', key: 'a', max: 2 },
  ];

  test('are counted together, all of a claim or nothing', () => {
    const places = new ConnectionCounters<object>();
    const [one, other] = [{}, {}];
    expect([places.take(one, 'data', claims), places.take(other, 'data', claims)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(places.take(one, 'data', claims)).toBe(1);
    expect(places.take(one, 'data', [{ scope: 'all', key: '', max: 3 }])).toBeUndefined();
    expect(places.take(other, 'data', claims)).toBe(0);
    expect(places.take(other, 'websocket', claims)).toBeUndefined();
    expect([places.heldBy(one, 'data'), places.heldBy(other, 'data')]).toEqual([2, 1]);
  });

  test('of a process that has ended are free again', () => {
    const places = new ConnectionCounters<object>();
    const [one, other] = [{}, {}];
    places.take(one, 'data', claims);
    places.take(one, 'data', claims);
    places.forget(one);
    expect(places.take(other, 'data', claims)).toBeUndefined();
    places.giveBack(one, 'data', claims);
    expect([places.heldBy(one, 'data'), places.heldBy(other, 'data')]).toEqual([0, 1]);
    // Places returned late were free already: one of the address's two places is left.
    expect([places.take(other, 'data', claims), places.take(other, 'data', claims)]).toEqual([undefined, 1]);
  });
});
