import { describePostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import type { RateRequest } from '../src/index.ts';
import { postgres, sqliteMemory } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';

const asked = (points: number, more: Partial<RateRequest> = {}): RateRequest => ({
  scope: 'address',
  key: 'a',
  budget: { points: 10, windowMs: 60_000 },
  points,
  spent: 0,
  ...more,
});

test('SQLite shares no rates', async () => {
  await using database = sqliteMemory();
  await using store = await database.open({ resources: [] });
  expect(() => store.rates).toThrow('rates are shared through PostgreSQL');
});

describePostgres('rates', () => {
  test('are leased as far as the budget goes, in one window per key for all processes', async () => {
    await using database = postgres();
    await using one = await database.open({ resources: [] });
    await using other = await database.open({ resources: [] });
    const [first] = await one.rates.lease([asked(4)]);
    expect(first).toEqual({ points: 4, window: expect.any(Number), remainingMs: expect.any(Number) });
    expect(first?.remainingMs).toBeGreaterThan(59_000);
    expect(first?.remainingMs).toBeLessThanOrEqual(60_000);
    const both = await other.rates.lease([asked(4, { key: 'b', spent: 9 }), asked(4)]);
    expect(both.map(({ points }) => points)).toEqual([1, 4]);
    expect(both[1]?.window).toBe(first?.window);
    expect(await one.rates.lease([asked(4, { spent: 1 })])).toMatchObject([{ points: 1 }]);
    expect(await one.rates.lease([asked(4), asked(1, { scope: 'failure' })])).toMatchObject([
      { points: 0 },
      { points: 1 },
    ]);
    expect(await one.rates.lease([asked(1, { spent: 30, key: 'c' })])).toMatchObject([{ points: 0 }]);
  });

  test('of keys and scopes with spaces are told apart', async () => {
    await using database = postgres();
    await using store = await database.open({ resources: [] });
    const leases = await store.rates.lease([
      asked(3, { scope: 'from address', key: 'a' }),
      asked(5, { scope: 'from', key: 'address a' }),
    ]);
    expect(leases.map(({ points }) => points)).toEqual([3, 5]);
  });

  test('of two leases of a key are given back together, and never more than were used', async () => {
    await using database = postgres();
    await using store = await database.open({ resources: [] });
    const [lease] = await store.rates.lease([asked(10)]);
    const given = { scope: 'address', key: 'a', window: lease?.window ?? 0 };
    await store.rates.giveBack([
      { ...given, points: 2 },
      { ...given, points: 3 },
    ]);
    expect(await store.rates.lease([asked(10)])).toMatchObject([{ points: 5 }]);
    await store.rates.giveBack([{ ...given, points: 90 }]);
    expect(await store.rates.lease([asked(20)])).toMatchObject([{ points: 10 }]);
    expect(await store.rates.lease([asked(20)])).toMatchObject([{ points: 0 }]);
  });

  test('are given back to the window they were leased from and no other', async () => {
    await using database = postgres();
    await using store = await database.open({ resources: [] });
    const [lease] = await store.rates.lease([asked(10)]);
    const window = lease?.window ?? 0;
    await store.rates.giveBack([
      { scope: 'address', key: 'a', points: 3, window },
      { scope: 'address', key: 'nobody', points: 3, window },
    ]);
    await store.rates.giveBack([{ scope: 'address', key: 'a', points: 5, window: window - 1 }]);
    expect(await store.rates.lease([asked(10)])).toMatchObject([{ points: 3, window }]);
  });

  test('begin again when the window has ended, or ends later than any can; those that have ended are dropped', async () => {
    await using database = postgres();
    await using store = await database.open({ resources: [] });
    await store.rates.lease([asked(10), asked(10, { key: 'b' }), asked(10, { key: 'c' })]);
    await executeRaw(database, "update rate set ends_at_ms = ends_at_ms - 60000 where key in ('a', 'c')");
    await executeRaw(database, "update rate set ends_at_ms = ends_at_ms + 90000 where key = 'b'");
    expect(await store.rates.lease([asked(7), asked(7, { key: 'b' })])).toMatchObject([
      { points: 7 },
      { points: 7 },
    ]);
    await store.prune();
    const left = await executeRaw(database, 'select key from rate order by key');
    expect(left).toEqual([{ key: 'a' }, { key: 'b' }]);
  });

  test('of many keys are leased by many at once, in any order', async () => {
    await using database = postgres();
    await using one = await database.open({ resources: [] });
    await using other = await database.open({ resources: [] });
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
    const granted = new Map(keys.map((key) => [key, 0]));
    const givenBack: Promise<void>[] = [];
    const lease = async (store: typeof one, order: readonly string[]) => {
      const leases = await store.rates.lease(order.map((key) => asked(1, { key })));
      leases.forEach(({ points, window }, index) => {
        const key = order[index] ?? '';
        granted.set(key, (granted.get(key) ?? 0) + points);
        if (index === 0)
          givenBack.push(store.rates.giveBack([{ scope: 'address', key: 'none', points: 1, window }]));
      });
    };
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 2 === 0 ? lease(one, keys) : lease(other, keys.toReversed()),
      ),
    );
    await Promise.all(givenBack);
    expect(new Set(granted.values())).toEqual(new Set([10]));
  });
});
