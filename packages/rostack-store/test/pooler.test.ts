import { describePooler, startPooler } from 'test-support/pooler';
import { expect, test } from 'vitest';
import { postgres } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { recordsOfPage } from './support/page-records.ts';
import { put, stations } from './support/stations.ts';

const resources = [stations];

describePooler('behind a pgbouncer that gives connections to transactions', () => {
  test('stores open at once, write, and read pages while others write', async () => {
    await using pooler = await startPooler('transaction');
    await using database = postgres(pooler.url);
    await using judge = await database.open({ resources });
    const stores = await Promise.all(Array.from({ length: 4 }, () => database.open({ resources })));
    try {
      await Promise.all(
        stores.flatMap((store, writer) =>
          Array.from({ length: 4 }, async (_, lane) => {
            for (let round = 0; round < 15; round += 1) {
              await store.apply([put({ id: `s${round}-${lane}`, height: writer * 100 + round })]);
              const source = store.source('stations');
              const page = await source.page({
                sort: [{ pointer: '/height', path: ['height'], descending: true }],
                limit: 5,
              });
              expect(recordsOfPage(page).length).toBeGreaterThan(0);
            }
          }),
        ),
      );
      const log = await readToHead(judge.source('stations'), 0);
      expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
      const last = new Map(log.map(({ id, version }) => [id, version]));
      expect(last.size).toBe(60);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  test('stores lease rates of one budget', async () => {
    await using pooler = await startPooler('transaction');
    await using database = postgres(pooler.url);
    const stores = await Promise.all([1, 2].map(() => database.open({ resources: [] })));
    const rate = { scope: 'principal', key: 'me', budget: { points: 20, windowMs: 600_000 } };
    const leased = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const [lease] = (await stores[index % 2]?.rates.lease([{ ...rate, points: 3, spent: 0 }])) ?? [];
        return lease?.points ?? 0;
      }),
    );
    expect(leased.reduce((sum, points) => sum + points)).toBe(20);
    await Promise.all(stores.map((store) => store.close()));
  });
});
