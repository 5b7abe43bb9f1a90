import type { Change } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import { type Store, startMover } from '../src/index.ts';
import { attached, equal, following, QUICK } from './support/attached.ts';
import { setting } from './support/boats.ts';
import { observations } from './support/observations.ts';

const OUTAGE_MS = 100_000;
/** Between the clocks of this test and of a server on the same machine. */
const SLACK_MS = 5_000;

/** The changes of a record, once there are any. */
async function changesOf(store: Store, resource: string, id: string): Promise<readonly Change[]> {
  return vi.waitFor(
    async () => {
      const { floor } = await store.source(resource).head();
      const changes = (await store.source(resource).read(floor, 1_000)).filter((each) => each.id === id);
      expect(changes).not.toEqual([]);
      return changes;
    },
    { timeout: 20_000 },
  );
}

describePostgres('when a change of a table of PostgreSQL occurred', () => {
  test('after an outage it is when its row was written, for each row', async () => {
    await using at = await attached();
    const { app, database, store, mover } = at;
    await mover.close();
    await app.query(`insert into ${app.table} (id, station) values (1, 'early')`);
    await app.query(
      `update ${database.schema}.inbox_1 set noted = noted - interval '${OUTAGE_MS} milliseconds'`,
    );
    await app.query(`insert into ${app.table} (id, station) values (2, 'late')`);
    const beforeMs = Date.now();
    await using again = startMover(store, { observations: app.source }, QUICK);
    await following(again);
    await equal({ app, store });
    const [early] = await changesOf(store, 'observations', '1');
    expect(early?.occurredAtMs).toBeLessThan(beforeMs - OUTAGE_MS + SLACK_MS);
    expect(early?.occurredAtMs).toBeGreaterThan(beforeMs - OUTAGE_MS - 2 * SLACK_MS);
    const [late] = await changesOf(store, 'observations', '2');
    expect(late?.occurredAtMs).toBeGreaterThan(beforeMs - 2 * SLACK_MS);
  });

  test('a row of a long transaction has not waited before its commit', async () => {
    await using at = await attached();
    const { app, database, store } = at;
    await app.query('begin');
    await app.query(`insert into ${app.table} (id, station) values (1, 'slow')`);
    await app.query(
      `update ${database.schema}.inbox_1 set noted = noted - interval '${OUTAGE_MS} milliseconds'`,
    );
    const committedMs = Date.now();
    await app.query('commit');
    const [slow] = await changesOf(store, 'observations', '1');
    expect(slow?.occurredAtMs).toBeGreaterThan(committedMs - SLACK_MS);
  });

  test('nor one that comes after a long time in which nothing did', async () => {
    await using at = await attached();
    const { app, database, mover } = at;
    await mover.close();
    let aheadMs = 0;
    let asked = 0;
    const nowMs = () => {
      asked += 1;
      return Date.now() + aheadMs;
    };
    await using store = await database.open({ resources: [observations], nowMs });
    await using again = startMover(store, { observations: app.source }, QUICK);
    await following(again);
    aheadMs = 2 * OUTAGE_MS;
    const askedBefore = asked;
    await vi.waitFor(() => expect(asked).toBeGreaterThan(askedBefore + 4));
    await app.query('begin');
    await app.query(`insert into ${app.table} (id, station) values (1, 'slow')`);
    await app.query(
      `update ${database.schema}.inbox_1 set noted = noted - interval '${OUTAGE_MS} milliseconds'`,
    );
    const committedMs = nowMs();
    await app.query('commit');
    const [slow] = await changesOf(store, 'observations', '1');
    expect(slow?.occurredAtMs).toBeGreaterThan(committedMs - SLACK_MS);
  });

  test('a change that waited is kept as long as others', async () => {
    await using at = await attached();
    const { app, database, store, mover } = at;
    await mover.close();
    await app.query(`insert into ${app.table} (id, station) values (1, 'early')`);
    await app.query(`update ${database.schema}.inbox_1 set noted = noted - interval '9 minutes'`);
    await using _again = startMover(store, { observations: app.source }, QUICK);
    const [early] = await changesOf(store, 'observations', '1');
    await using other = await database.open({
      resources: [observations],
      retention: { maxAgeMs: 60_000, intervalMs: 0 },
    });
    expect(early?.occurredAtMs).toBeLessThan(Date.now() - 500_000);
    await other.prune();
    expect(await changesOf(store, 'observations', '1')).toHaveLength(1);
  });
});

test('when a change of a table of SQLite occurred: when its row was written, for each row', async () => {
  await using at = await setting();
  const { app, store } = at;
  await at.attach();
  app.exec(`insert into boats (id, name) values (1, 'early');
    update inbox_1 set noted = noted - ${OUTAGE_MS / 86_400_000};
    insert into boats (id, name) values (2, 'late')`);
  const beforeMs = Date.now();
  await at.follow();
  const [early] = await changesOf(store, 'boats', '1');
  const [late] = await changesOf(store, 'boats', '2');
  expect(early?.occurredAtMs).toBeLessThan(beforeMs - OUTAGE_MS + SLACK_MS);
  expect(late?.occurredAtMs).toBeGreaterThan(beforeMs - SLACK_MS);
});
