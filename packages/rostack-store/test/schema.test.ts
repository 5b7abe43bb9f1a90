import { createHash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { parseFilter, parseSort } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { expect, test } from 'vitest';
import { type ResourceDefinition, SchemaTooNewError, StoreOptionsError } from '../src/index.ts';
import { MIGRATIONS } from '../src/schema/migrations.ts';
import { openStore } from '../src/store/open-store.ts';
import { readChain } from './support/chain.ts';
import { describeBoth, postgres, sqliteFile } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { postgresRelay } from './support/postgres-relay.ts';
import { notes, put, remove, stations } from './support/stations.ts';

const unindexed = { ...stations, filterableFields: {}, sortableFields: [] };
const byStatus = { at: 3, limit: 10, sort: [], filter: parseFilter({ '/status': { eq: 'on' } }) };

describeBoth('the schema', (create) => {
  test('refuses a database of a newer release and leaves it as it is', async () => {
    await using database = create();
    await (await database.open({ resources: [stations] })).close();
    const newer = MIGRATIONS.length + 1;
    await executeRaw(database, `update state set schema_version = ${newer}`);
    const failure = await database.open({ resources: [stations] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SchemaTooNewError);
    expect(failure).toMatchObject({
      code: 'schema_too_new',
      foundVersion: newer,
      knownVersion: MIGRATIONS.length,
      message: expect.stringContaining('upgrade rostack-store'),
    });
    expect(
      await executeRaw(database, 'select cast(schema_version as integer) as schema_version from state'),
    ).toMatchObject([{ schema_version: newer }]);
  });

  test('several processes may open a new database at the same time', async () => {
    await using database = create();
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => database.open({ resources: [stations, notes] })),
    );
    const epochs = await Promise.all(stores.map(async (store) => (await store.source('notes').head()).epoch));
    expect(new Set(epochs).size).toBe(1);
    expect(stores.map(({ epoch }) => epoch)).toEqual(epochs);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('heads that are asked for at once are what each resource says alone, and one that cannot be read fails alone', async () => {
    await using database = create();
    await using store = await database.open({ resources: [stations, notes] });
    await store.apply([
      put({ id: 'a', height: 1 }),
      put({ id: 'a', height: 2 }),
      { resource: 'notes', op: 'put', record: { id: 'n' } },
    ]);
    const sources = ['stations', 'notes'].map((name) => store.source(name));
    const alone = [];
    for (const source of sources) alone.push(await source.head());
    expect(alone).toMatchObject([{ position: 2 }, { position: 1 }]);
    expect(await Promise.all(sources.map((source) => source.head()))).toEqual(alone);
    await executeRaw(database, `update head set fields = '["other"]' where name = 'stations'`);
    expect(await Promise.allSettled(sources.map((source) => source.head()))).toMatchObject([
      { status: 'rejected', reason: { cause: { code: 'definition_changed' } } },
      { status: 'fulfilled', value: alone[1] },
    ]);
  });

  test('indexes the records that are there, current and past, when a field becomes filterable or sortable', async () => {
    await using database = create();
    const before = await database.open({ resources: [unindexed] });
    await before.apply([
      put({ id: 'a', height: 3, status: 'on' }),
      put({ id: 'b', height: 2, status: 'off' }),
      put({ id: 'c', height: 1, status: 'on', tags: ['x'] }),
    ]);
    await before.apply([remove('a'), put({ id: 'b', height: 9, status: 'on' })]);
    await before.close();
    await using after = await database.open({ resources: [stations] });
    const source = after.source('stations');
    const idsOf = async (query: Parameters<typeof readChain>[1]) =>
      (await readChain(source, query)).map(({ id }) => id);
    expect(await idsOf(byStatus)).toEqual(['a', 'c']);
    expect(await idsOf({ ...byStatus, at: 5 })).toEqual(['b', 'c']);
    const filter = parseFilter({ '/tags': { contains: 'x' } });
    expect(await idsOf({ ...byStatus, at: 5, filter })).toEqual(['c']);
    const sort = parseSort('-/height', ['/height']);
    expect(await idsOf({ at: 3, limit: 1, sort })).toEqual(['a', 'b', 'c']);
    expect(await idsOf({ at: 5, limit: 1, sort })).toEqual(['b', 'c']);
  });

  test('puts the past versions of an older release in the order of their partitions', async () => {
    await using database = create();
    const before = await database.open({ resources: [stations] });
    await before.apply([
      put({ id: 'a', height: 3, status: 'on' }),
      put({ id: 'b', height: 2, status: 'on' }),
    ]);
    await before.apply([put({ id: 'a', height: 1, status: 'off' }), remove('b')]);
    await before.close();
    const indexes =
      database.schema === 'main'
        ? "select name, sql as text from sqlite_schema where type = 'index' and name like 'past_1_k%' order by name"
        : `select indexname as name, indexdef as text from pg_indexes where schemaname = '${database.schema}' and indexname like 'past_1_k%' order by 1`;
    const now = await executeRaw(database, indexes);
    expect(now.length).toBeGreaterThan(2);
    for (const { name } of now) {
      await executeRaw(database, `drop index ${database.schema}.${String(name)}`);
      await executeRaw(
        database,
        `create index ${String(name)} on past_1 (${String(name).slice('past_1_'.length)}, id)`,
      );
    }
    if (database.schema !== 'main') {
      await executeRaw(database, 'alter table attachment drop column leads_until');
      await executeRaw(database, 'drop table rate');
    } else {
      for (const table of ['attachment', 'quarantine']) await executeRaw(database, `drop table ${table}`);
    }
    await executeRaw(database, 'alter table token drop column claims');
    await executeRaw(database, 'update state set schema_version = 4');
    await using after = await database.open({ resources: [stations] });
    expect(await executeRaw(database, indexes)).toEqual(now);
    const query = { at: 2, limit: 1, sort: parseSort('/height', ['/height']) };
    expect((await readChain(after.source('stations'), query)).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('drops the index of a field that is no longer advertised, and refuses pages by it', async () => {
    await using database = create();
    const before = await database.open({ resources: [stations] });
    await before.apply([put({ id: 'a', height: 3, status: 'on' })]);
    await before.close();
    await using after = await database.open({ resources: [unindexed] });
    await after.apply([put({ id: 'a', height: 4, status: 'on' })]);
    const source = after.source('stations');
    await expect(source.page({ ...byStatus, at: 2 })).rejects.toMatchObject({
      code: 'store_options_invalid',
      message: expect.stringContaining('"/status": add it to filterableFields'),
    });
    await expect(
      source.page({ at: 2, limit: 1, sort: parseSort('/height', ['/height']) }),
    ).rejects.toBeInstanceOf(StoreOptionsError);
    expect(await readChain(source, { at: 2, sort: [], limit: 10 })).toHaveLength(1);
  });

  test('a process with other fields than the one that opened last neither reads nor writes', async () => {
    await using database = create();
    await using old = await database.open({ resources: [unindexed] });
    await old.apply([put({ id: 'a', height: 3, status: 'on' })]);
    await using latest = await database.open({ resources: [stations] });
    await expect(old.apply([put({ id: 'b', height: 3 })])).rejects.toMatchObject({
      code: 'definition_changed',
      retryable: false,
    });
    await expect(old.source('stations').head()).rejects.toMatchObject({ code: 'source_unavailable' });
    await latest.apply([put({ id: 'b', height: 3, status: 'on' })]);
    expect(await readChain(latest.source('stations'), { ...byStatus, at: 2 })).toHaveLength(2);
  });

  test('a sortable field takes strings of 1,024 bytes, stored ones too', async () => {
    await using database = create();
    const before = await database.open({ resources: [unindexed] });
    await before.apply([put({ id: 'a', height: 1, name: 'x'.repeat(1_025) })]);
    await before.close();
    await expect(database.open({ resources: [stations] })).rejects.toMatchObject({
      code: 'store_options_invalid',
      message: expect.stringContaining('/name cannot become sortable'),
    });
    await using again = await database.open({ resources: [unindexed] });
    await again.apply([put({ id: 'a', height: 1, name: 'x'.repeat(1_024) })]);
    await again.prune();
    await expect(database.open({ resources: [stations] })).rejects.toBeInstanceOf(StoreOptionsError);
    await using fresh = create();
    await using sortable = await fresh.open({ resources: [stations] });
    const longest = put({ id: denseText(512), height: 1, name: denseText(1_024) });
    await sortable.apply([longest]);
    await expect(
      sortable.apply([put({ id: 'b', height: 1, name: 'x'.repeat(1_025) })]),
    ).rejects.toMatchObject({
      faults: [{ pointer: '/name', message: expect.stringContaining('1024 bytes') }],
    });
  });

  test('a new epoch is seen by all', async () => {
    await using database = create();
    await using here = await database.open({ resources: [stations] });
    await using there = await database.open({ resources: [stations] });
    const [before] = await here.apply([put({ id: 'a', height: 1 })]);
    const epoch = await here.renewEpoch();
    expect((await there.source('stations').head()).epoch).toBe(epoch);
    const [after] = await there.apply([put({ id: 'a', height: 2 })]);
    expect(after?.version).toMatch(new RegExp(`^${epoch}-2\\.[\\w-]{8}$`));
    expect(before?.version).not.toContain(epoch);
  });
});

test.each([
  ['a URL of another kind', 'mysql://localhost/x', {}, 'neither sqlite: nor postgres:'],
  ['a URL without a file', 'sqlite:', {}, 'names no file'],
  ['a name that is none', '', { name: 'Stations' }, 'does not match'],
  ['a pointer that is none', '', { idPointer: 'id' }, 'is not a JSON Pointer'],
  ['a schema that is none', '', { schema: { type: 'thing' } }, 'the schema cannot be used'],
  ['an unknown operator', '', { filterableFields: { '/a': ['like'] } }, 'like is not a filter operator'],
  ['an event twice', '', { events: [...(stations.events ?? []), ...(stations.events ?? [])] }, 'is repeated'],
])('refuses %s', async (_, url, changes, message) => {
  const resources = [{ ...stations, ...changes } as ResourceDefinition];
  await expect(openStore({ url: url || 'sqlite::memory:', resources })).rejects.toMatchObject({
    code: 'store_options_invalid',
    message: expect.stringContaining(message),
  });
});

test.each([
  [{ maxConnections: 1 }, 'maxConnections'],
  [{ retention: { maxAgeMs: -1 } }, 'retention.maxAgeMs'],
  [{ schema: 'Public; drop' }, 'schema is'],
  [{ randomId: () => 'a.b' }, 'randomId returned'],
])('refuses the options %j', async (options, message) => {
  await expect(openStore({ url: 'sqlite::memory:', resources: [notes], ...options })).rejects.toMatchObject({
    code: 'store_options_invalid',
    message: expect.stringContaining(message),
  });
});

describePostgres('a start with many resources', () => {
  test('does not ask for one after the other', async () => {
    await using relay = await postgresRelay();
    await using database = postgres(relay.url);
    const resources = Array.from({ length: 30 }, (_, index) => ({ ...stations, name: `stations${index}` }));
    await (await database.open({ resources })).close();
    const turnsBefore = relay.turns;
    await (await database.open({ resources })).close();
    expect(relay.turns - turnsBefore).toBeGreaterThan(5);
    expect(relay.turns - turnsBefore).toBeLessThan(resources.length);
  });
});

test('a backup is whole, is one file, and starts a new epoch at every restore', async () => {
  await using database = sqliteFile();
  await using store = await database.open({ resources: [stations] });
  await store.apply(Array.from({ length: 500 }, (_, index) => put({ id: `s${index}`, height: index })));
  const file = `${database.file}.backup`;
  await store.backUp(file);
  await store.apply([put({ id: 's0', height: -1 })]);
  await expect(store.backUp(file)).rejects.toMatchObject({ message: expect.stringContaining('exists') });
  const epochs = [store.epoch];
  for (const restored of [`${file}.1`, `${file}.2`]) {
    await copyFile(file, restored);
    await using copy = await openStore({ url: `sqlite:${restored}`, resources: [stations] });
    expect(await copy.source('stations').head()).toMatchObject({ position: 500, epoch: copy.epoch });
    expect(await copy.source('stations').get('s0')).toMatchObject({ body: '{"id":"s0","height":0}' });
    epochs.push(copy.epoch);
    await copy.close();
    await using again = await openStore({ url: `sqlite:${restored}`, resources: [stations] });
    expect(again.epoch).toBe(copy.epoch);
  }
  expect(new Set(epochs).size).toBe(3);
});

/** Text that does not compress, so that a database has to index all of it. */
function denseText(bytes: number): string {
  return createHash('shake256', { outputLength: bytes / 2 })
    .update('text')
    .digest('hex');
}
