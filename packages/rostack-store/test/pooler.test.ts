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
});
