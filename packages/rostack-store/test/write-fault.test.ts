import { setTimeout as delay } from 'node:timers/promises';
import { describePostgres, queryPostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { SqliteDatabase } from '../src/drivers/sqlite/database.ts';
import type { Store } from '../src/index.ts';
import { internalsOf } from '../src/store/store-internals.ts';
import { postgres, sqliteFile } from './support/databases.ts';
import { stations } from './support/stations.ts';

const put = (id: string) =>
  ({ resource: 'stations', op: 'put', record: { id, height: 1, name: 'x'.repeat(1_000) } }) as const;

/** Lets no page be added to the file any more; undefined: as many as one likes. */
function limitPages(store: Store, pages: number | undefined): void {
  const { database } = internalsOf(store);
  if (!(database instanceof SqliteDatabase)) throw new Error('not SQLite');
  database.handle.pragma(`max_page_count = ${pages ?? 1_000_000}`);
}

test('a full SQLite disk is told from the first write that fails until there is room again', async () => {
  await using database = sqliteFile();
  await using store = await database.open({ resources: [stations] });
  expect(store.status.writeFault).toBeUndefined();
  limitPages(store, 1);
  const fill = async () => {
    for (let i = 0; i < 100; i += 1) await store.apply([put(`s${i}`)]);
  };
  await expect(fill()).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(store.status.writeFault).toMatchObject({
    error: { code: 'store_unavailable', cause: { code: 'SQLITE_FULL' } },
  });
  // Notes that fit into a page that is there say nothing of the room for others.
  await store.updateNote('small', () => 'x');
  expect(store.status.writeFault).toBeDefined();
  await delay(5);
  await expect(store.tryWrite()).rejects.toMatchObject({ code: 'store_unavailable' });
  const { forMs = 0, agoMs = 0 } = store.status.writeFault ?? {};
  expect(forMs).toBeGreaterThan(agoMs);
  limitPages(store, undefined);
  await store.tryWrite();
  expect(store.status.writeFault).toBeUndefined();
});

test('a write that the batch itself is at fault for is none of the database', async () => {
  await using database = sqliteFile();
  await using store = await database.open({ resources: [stations] });
  await expect(store.apply([{ ...put('a'), expectedVersion: 'another' }])).rejects.toMatchObject({
    code: 'version_conflict',
  });
  expect(store.status.writeFault).toBeUndefined();
});

describePostgres('a PostgreSQL that takes no writes', () => {
  test('is told, whoever writes, until a batch is written', async () => {
    await using database = postgres();
    await using store = await database.open({ resources: [stations] });
    const { schema } = database;
    await queryPostgres(`
      create function ${schema}.full() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$;
      create trigger is_full before insert or update on ${schema}.note execute function ${schema}.full();`);
    await expect(store.updateNote('served', () => 'x')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(store.status.writeFault).toMatchObject({ error: { code: 'store_unavailable' } });
    await expect(store.tryWrite()).rejects.toMatchObject({ code: 'store_unavailable' });
    await store.apply([put('a')]);
    expect(store.status.writeFault).toBeUndefined();
    await queryPostgres(`drop trigger is_full on ${schema}.note`);
    await store.tryWrite();
  });
});
