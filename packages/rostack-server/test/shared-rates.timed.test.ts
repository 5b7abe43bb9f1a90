import { openStore, type Store } from 'rostack-store';
import { createDatabase, hasPostgres } from 'test-support/postgres';
import { seededNumbers } from 'test-support/seeded-random';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createRateLimiter,
  type LeaseRequest,
  type OwnedRateLimiter,
  type RateLimitBudget,
  type SharedCounters,
} from '../src/rate-limit/index.ts';

const BUDGET: RateLimitBudget = { points: 20, windowMs: 60_000 };

describe.skipIf(!hasPostgres)('servers that share their counters on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let store: Store;

  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ url: database.url, resources: [] });
  });

  afterAll(async () => {
    await store.close();
    await database[Symbol.asyncDispose]();
  });

  const server = (
    budget: RateLimitBudget,
    counters: SharedCounters = store.rates,
    told: { onAlone?: () => void; onShared?: () => void } = {},
  ): OwnedRateLimiter =>
    createRateLimiter({
      perAddress: budget,
      perPrincipal: budget,
      failuresPerAddress: budget,
      shared: { counters, ...told },
    });

  /** How many of so many requests, sent at once, each limiter in its turn, are granted. */
  const grantedOf = async (count: number, key: string, limiters: readonly OwnedRateLimiter[]) => {
    const waits = await Promise.all(
      Array.from({ length: count }, async (_, index) =>
        limiters[index % limiters.length]?.consume('address', key, 1),
      ),
    );
    return waits.filter((waitMs) => waitMs === 0).length;
  };

  test('grant a small budget to the last point together, each scope and key apart', async () => {
    await using first = server(BUDGET);
    await using second = server(BUDGET);
    expect(await grantedOf(60, 'small', [first, second])).toBe(20);
    expect(await grantedOf(10, 'small', [first, second])).toBe(0);
    const waitMs = await second.consume('address', 'small', 1);
    expect(waitMs).toBeGreaterThan(55_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(await second.consume('failure', 'small', 1)).toBe(0);
    expect(await second.consume('principal', 'small', 1)).toBe(0);
    expect(await second.consume('address', 'other', 1)).toBe(0);
  });

  test('grant a large budget within its bounds under any load, and ask for few leases', async () => {
    const random = seededNumbers();
    const budget = { points: 1_000, windowMs: 60_000 };
    let calls = 0;
    const counters: SharedCounters = {
      lease: (requests) => {
        calls += 1;
        return store.rates.lease(requests);
      },
      giveBack: (leases) => store.rates.giveBack(leases),
    };
    const limiters = [1, 2, 3].map(() => server(budget, counters));
    let granted = 0;
    for (let sent = 0; sent < 3_000; ) {
      const count = 1 + Math.floor(random() * 40);
      const limiter = limiters[Math.floor(random() * limiters.length)];
      if (limiter !== undefined) granted += await grantedOf(count, 'large', [limiter]);
      sent += count;
    }
    expect(granted).toBeLessThanOrEqual(1_000);
    expect(granted).toBeGreaterThanOrEqual(1_000 - 2 * 20);
    expect(calls).toBeLessThan(250);
    for (const limiter of limiters) await limiter[Symbol.asyncDispose]();
  });

  test('grant again once the wait that was told is over', async () => {
    const budget = { points: 3, windowMs: 1_000 };
    await using first = server(budget);
    await using second = server(budget);
    for (let window = 0; window < 2; window += 1) {
      let waitMs = 0;
      // Where the machine is so slow that windows end meanwhile, it takes several rounds.
      while (waitMs === 0) {
        await grantedOf(10, 'window', [first, second]);
        waitMs = await first.consume('address', 'window', 1);
      }
      expect(waitMs).toBeLessThanOrEqual(1_000);
      await new Promise((resolve) => setTimeout(resolve, waitMs + 1));
    }
    expect(await second.consume('address', 'window', 1)).toBe(0);
  });

  test('what one server has leased and will not use, the others may: when it closes, and when it is idle', async () => {
    // A share is idle after a tenth of the window; all of this has to come in one window.
    const budget = { points: 1_000, windowMs: 40_000 };
    const closing = server(budget);
    expect(await grantedOf(30, 'returned', [closing])).toBe(30);
    await closing[Symbol.asyncDispose]();
    await using idle = server(budget);
    for (let count = 0; count < 30; count += 1) expect(await grantedOf(1, 'returned', [idle])).toBe(1);
    await using busy = server(budget);
    const granted = await grantedOf(1_000, 'returned', [busy]);
    expect(granted).toBeLessThan(940);
    const more = async () => grantedOf(1, 'returned', [busy]);
    let late = 0;
    await expect.poll(async () => (late += await more())).toBe(940 - granted);
  });

  test('a server that gets no answer counts alone, and tells what it granted when there are answers again', async () => {
    const gate = { isShut: true, open: () => {} };
    const shut = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const reported: number[] = [];
    const counters: SharedCounters = {
      lease: async (requests) => {
        if (gate.isShut) await shut;
        const leases = await store.rates.lease(requests);
        reported.push(...requests.map(({ spent }) => spent));
        return leases;
      },
      giveBack: (leases) => store.rates.giveBack(leases),
    };
    const told: string[] = [];
    await using cut = server(BUDGET, counters, {
      onAlone: () => told.push('alone'),
      onShared: () => {
        told.push('shared');
        throw new Error('ignored');
      },
    });
    expect(await grantedOf(8, 'cut', [cut])).toBe(8);
    expect(told).toEqual(['alone']);
    expect(await grantedOf(20, 'cut', [cut])).toBe(12);
    expect(await grantedOf(5, 'quiet', [cut])).toBe(5);
    gate.isShut = false;
    gate.open();
    await expect.poll(() => told).toEqual(['alone', 'shared']);
    // Also of a key that nobody asks for again.
    await expect.poll(() => reported).toContain(5);
    expect(await cut.consume('address', 'cut', 1)).toBeGreaterThan(0);
    await using other = server(BUDGET);
    expect(await grantedOf(5, 'after', [cut, other])).toBe(5);
    expect(await grantedOf(5, 'cut', [other])).toBe(0);
    // What was told has leased one more point.
    expect(await grantedOf(20, 'quiet', [other])).toBe(14);
  });

  test.each([
    ['fewer leases than were asked for', async () => []],
    [
      'what is no number',
      async (requests: readonly LeaseRequest[]) =>
        requests.map(() => ({ points: Number.NaN, window: 1, remainingMs: 1_000 })),
    ],
    ['an error', () => Promise.reject(new Error('down'))],
  ])('counters that give %s: the server counts alone', async (_what, lease) => {
    const told: unknown[] = [];
    await using alone = server(BUDGET, { lease, giveBack: async () => {} }, { onAlone: () => told.push(1) });
    expect(await grantedOf(30, 'broken', [alone])).toBe(20);
    expect(told).toEqual([1]);
  });
});
