import { describePooler, startPooler } from 'test-support/pooler';
import { describePostgres, queryPostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { storePartsFor } from '../src/attach/source/store-parts.ts';
import { run } from '../src/drivers/database.ts';
import type { Store } from '../src/index.ts';
import { each, writeStatements } from '../src/write/apply/write-statements.ts';
import { postgres } from './support/databases.ts';
import { readToHead } from './support/log-states.ts';
import { recordsOfPage } from './support/page-records.ts';
import { put, stations } from './support/stations.ts';

const MANY = 1_000;
const resources = [stations];

const idOf = (index: number) => `s${String(index).padStart(4, '0')}`;
const nameOf = (index: number) => `\\N\t"${index}"\n가😀${'x'.repeat(index % 50)}`;

/** Puts records of which the first ones may be there. Returns how many were written. */
async function putMany(store: Store, count: number, height: number): Promise<number> {
  const changes = Array.from({ length: count }, (_, index) =>
    put({ id: idOf(index), height, name: nameOf(index), ...(index % 2 === 0 && { tags: ['a', ''] }) }),
  );
  return (await store.apply(changes)).filter(({ changed }) => changed).length;
}

async function expectAll(store: Store, height: number): Promise<void> {
  const source = store.source('stations');
  const page = await source.page({
    filter: undefined,
    sort: [{ pointer: '/name', path: ['name'], descending: false }],
    limit: MANY,
  });
  const found = recordsOfPage(page);
  expect(found).toHaveLength(MANY);
  for (const { id, body } of found)
    expect(JSON.parse(body)).toMatchObject({ id, height, name: nameOf(Number(id.slice(1))) });
  const log = await readToHead(source, 0, MANY);
  expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1));
}

describePostgres('many records at once', () => {
  test('are written, those that are there and those that are not', async () => {
    await using database = postgres();
    await using store = await database.open({ resources });
    expect(await putMany(store, 300, 1)).toBe(300);
    expect(await putMany(store, MANY, 2)).toBe(MANY);
    await expectAll(store, 2);
    expect(await putMany(store, MANY, 2)).toBe(0);
  });

  test('are looked up by the index, each of them, and not by reading all records', async () => {
    await using database = postgres();
    await using store = await database.open({ resources });
    await putMany(store, MANY, 1);
    const { database: internals, target } = storePartsFor(store, 'stations');
    const { load, closeStored } = writeStatements(internals.dialect, target);
    for (const [statement, rows] of [
      [load, Array.from({ length: MANY }, (_, index) => [idOf(index), 1_000])],
      [closeStored, Array.from({ length: MANY }, (_, index) => [MANY + index, idOf(index)])],
    ] as const) {
      const explain = { ...each(statement, rows), sql: `explain ${statement.sql}` } as const;
      const plan = JSON.stringify(await internals.write(() => run(explain)));
      expect(plan).toContain('record_1_pkey');
      expect(plan).not.toContain('Seq Scan');
    }
  });

  test('that the server refuses leave nothing, and the connection goes on', async () => {
    await using database = postgres();
    await using store = await database.open({ resources, maxConnections: 3 });
    const record = `${database.schema}.record_1`;
    await queryPostgres(`alter table ${record} add constraint no check (position < 500)`);
    await expect(putMany(store, MANY, 1)).rejects.toMatchObject({ code: '23514' });
    expect(await store.source('stations').head()).toMatchObject({ position: 0 });
    await queryPostgres(`alter table ${record} drop constraint no`);
    expect(await putMany(store, MANY, 1)).toBe(MANY);
    await expectAll(store, 1);
  });
});

describePooler('many records at once, behind a pgbouncer that gives connections to transactions', () => {
  test('are written by several stores', async () => {
    await using pooler = await startPooler('transaction');
    await using database = postgres(pooler.url);
    const stores = await Promise.all([1, 2].map(() => database.open({ resources })));
    const written = await Promise.all(stores.map((store) => putMany(store, MANY, 1)));
    expect(written.reduce((sum, count) => sum + count)).toBe(MANY);
    await Promise.all(stores.map((store) => expectAll(store, 1)));
    await Promise.all(stores.map((store) => store.close()));
  });
});
