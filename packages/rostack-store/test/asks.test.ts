import { Client } from 'pg';
import { SourceUnavailableError } from 'rostack-core';
import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { postgres } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

const RECORDS = 40;
const ids = Array.from({ length: RECORDS }, (_, number) => `s${number}`);
/** One connection for all that is asked. */
const ONE = { resources: [stations], maxConnections: 2, readTimeoutMs: 2_000 };

describePostgres('many questions in one turn on one connection of PostgreSQL', () => {
  test('each get their own answer', async () => {
    await using database = postgres();
    await using store = await database.open(ONE);
    await store.apply(ids.map((id, height) => put({ id, height })));
    const source = store.source('stations');
    const found = await Promise.all([...ids, 'nobody', ...ids].map((id) => source.get(id)));
    const expected = [...ids, undefined, ...ids];
    expect(found.map((record) => (typeof record === 'object' ? record.id : record))).toEqual(expected);
    expect(store.status.pool).toMatchObject({ total: 1, waiting: 0 });
  });

  test('one that waits for a lock fails alone, and those behind it are answered', async () => {
    await using database = postgres();
    await using store = await database.open(ONE);
    await store.apply(ids.map((id, height) => put({ id, height })));
    const source = store.source('stations');
    await source.head();
    const other = new Client(POSTGRES_URL);
    await other.connect();
    await other.query(`begin; lock table ${database.schema}.record_1`);
    const locked = source.get('s1').catch((error: unknown) => error);
    // They read the head and the log, which are not locked.
    const tags = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((position) => source.tagAt(position)));
    expect(tags.every((tag) => typeof tag === 'string')).toBe(true);
    expect(await locked).toBeInstanceOf(SourceUnavailableError);
    await other.end();
    expect(await source.get('s1')).toMatchObject({ id: 's1' });
  });

  test('fail as unavailable when the connection is lost under them, and are answered by the next one', async () => {
    await using database = postgres();
    await using store = await database.open(ONE);
    await store.apply(ids.map((id, height) => put({ id, height })));
    const source = store.source('stations');
    const other = new Client(POSTGRES_URL);
    await other.connect();
    await other.query(`begin; lock table ${database.schema}.record_1`);
    const asked = ids.map((id) => source.get(id).catch((error: unknown) => error));
    await expect
      .poll(
        () =>
          queryPostgres(`select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = '${database.schema}' and wait_event_type = 'Lock'`),
        { interval: 20 },
      )
      .not.toEqual([]);
    await other.end();
    const outcomes = await Promise.all(asked);
    const failed = outcomes.filter((outcome) => outcome instanceof Error);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(RECORDS);
    expect(failed.every((error) => error instanceof SourceUnavailableError)).toBe(true);
    expect(await source.get('s1')).toMatchObject({ id: 's1' });
  });
});
