import { type PageQuery, type Position, parseFilter, parseSort } from 'rostack-core';
import { queryPostgres } from 'test-support/postgres';
import { expect, test, vi } from 'vitest';
import type { ResourceDefinition, Store } from '../src/index.ts';
import { describeBoth, postgres, type TestDatabase } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { recordsOfPage } from './support/page-records.ts';
import { put, stations } from './support/stations.ts';

const resource: ResourceDefinition = {
  ...stations,
  filterableFields: {
    ...stations.filterableFields,
    '/id': ['gt', 'gte', 'lt', 'starts_with'],
    '/name': ['ne'],
  },
};

const RECORDS = 20_000;
const CHANGED = 5_000;

async function fill(store: Store): Promise<void> {
  const record = (index: number, height: number) =>
    put({
      id: `s${String(index).padStart(6, '0')}`,
      height,
      status: index % 400 === 0 ? 'lost' : index % 2 === 0 ? 'on' : 'off',
      name: `name ${index % 977}`,
    });
  for (let from = 0; from < RECORDS; from += 1_000) {
    await store.apply(
      Array.from({ length: 1_000 }, (_, index) => record(from + index, (from + index) % 9_973)),
    );
  }
  await store.apply(
    Array.from({ length: CHANGED }, (_, index) => record((index * 7) % RECORDS, (index % 9_973) + 0.5)),
  );
}

function pageQuery(at: Position | undefined, filter: object | undefined, sort: string): PageQuery {
  return {
    at,
    limit: 20,
    filter: filter && parseFilter(filter),
    sort: sort === '' ? [] : parseSort(sort, stations.sortableFields ?? []),
  };
}

/** Name, filter, sort and the fields whose indexes give the page; `id` is the index of the ids. */
const queries: readonly (readonly [string, object | undefined, string, readonly string[]])[] = [
  ['no filter', undefined, '', ['id']],
  ['ids from one on', { '/id': { gt: 's010000' } }, '', ['id']],
  [
    'ids between two, and more',
    { '/id': { gte: 's010000', lt: 's019000' }, '/name': { ne: '' } },
    '',
    ['id'],
  ],
  ['ids with a prefix', { '/id': { starts_with: 's01' } }, '', ['id']],
  ['eq', { '/status': { eq: 'on' } }, '', ['/status']],
  ['in', { '/status': { in: ['on', 'lost'] } }, '', ['/status']],
  [
    'in, many',
    { '/height': { in: Array.from({ length: 20 }, (_, index) => 100 * index + 13) } },
    '',
    ['/height'],
  ],
  ['a range', { '/height': { gte: 5_000, lt: 5_100 } }, '', ['/height']],
  ['eq, few, sorted by another', { '/status': { eq: 'lost' } }, '/name', ['/status']],
  ['eq, many, sorted by another', { '/status': { eq: 'on' } }, '/name', ['/name']],
  ['a range, sorted by it', { '/height': { gt: 100 } }, '/height', ['/height']],
  ['a range, sorted by it, descending', { '/height': { gt: 100 } }, '-/height', ['/height']],
  ['a range, sorted by another', { '/height': { gt: 100 } }, '/name', ['/name']],
  ['two sort keys', undefined, '/name,-/height', ['/name']],
  [
    'an or of two fields',
    { $or: [{ '/status': { eq: 'lost' } }, { '/height': { eq: 7 } }] },
    '',
    ['/status', '/height'],
  ],
];

describeBoth('queries on advertised fields use their indexes', (create) => {
  test.each([true, false])(
    'current and old, first page and later ones; with statistics: %s',
    async (isAnalyzed) => {
      await using database = create();
      await using store = await database.open({ resources: [resource], synchronous: 'normal' });
      await fill(store);
      if (isAnalyzed)
        for (const table of ['record_1', 'past_1']) await executeRaw(database, `analyze ${table}`);
      for (const [name, filter, sort, pointers] of queries) {
        for (const at of [undefined, RECORDS, RECORDS + CHANGED]) {
          const query = pageQuery(at, filter, sort);
          const first = await store.source('stations').page(query);
          expect([name, recordsOfPage(first).length]).toEqual([name, 20]);
          for (const after of [undefined, first.next]) {
            const { strategy, tried } = await store.explain('stations', { ...query, after });
            const last = tried.at(-1);
            expect([name, at, strategy, last?.indexes]).toEqual([
              name,
              at,
              'statement',
              pointers.map(indexOf),
            ]);
            const plan = last?.plan.join('\n') ?? '';
            expect([name, at, plan]).toEqual([name, at, expect.stringMatching(BY_INDEX)]);
            expect([name, at, plan]).toEqual([name, at, expect.not.stringMatching(NOT_BY_INDEX)]);
            const isByPartition = /to_position >> 12|past_1_k/.test(plan);
            expect([name, at, isByPartition]).toEqual([name, at, at !== undefined && pointers[0] !== 'id']);
          }
        }
      }
    },
  );

  test.each([1_000, 5_000])('pages of %s as of a position are one statement each too', async (limit) => {
    await using database = create();
    await using store = await database.open({ resources: [resource], synchronous: 'normal' });
    await fill(store);
    for (const [filter, sort] of [
      [undefined, ''],
      [{ '/id': { gte: 's002000' } }, ''],
      [undefined, '/height'],
    ] as const) {
      const query = { ...pageQuery(RECORDS + CHANGED, filter, sort), limit };
      const { next: after } = await store.source('stations').page(query);
      const later = await store.source('stations').page({ ...query, after });
      expect([sort, recordsOfPage(later).length]).toEqual([sort, limit]);
      const { strategy } = await store.explain('stations', { ...query, after });
      expect([sort, strategy]).toEqual([sort, 'statement']);
    }
  });

  test('the more a filter compares, the fewer rows one statement tests', async () => {
    await using database = create();
    await using store = await database.open({ resources: [resource], synchronous: 'normal' });
    await fill(store);
    const strategyOf = async (comparisons: number) => {
      const filter = parseFilter({
        $or: Array.from({ length: comparisons }, (_, index) => ({
          '/name': { ends_with: index === 0 ? '9' : `no ${index}` },
        })),
      });
      const query = { filter, sort: [], limit: 20, at: undefined };
      expect(recordsOfPage(await store.source('stations').page(query)).length).toBe(20);
      return (await store.explain('stations', query)).strategy;
    };
    // A tenth of the names end so: 21 are found in the first 210 rows.
    expect(await strategyOf(10)).toBe('statement');
    expect(await strategyOf(80)).toBe('slices');
  });

  test('what no index bounds is read in slices', async () => {
    await using database = create();
    await using store = await database.open({ resources: [resource], synchronous: 'normal' });
    await fill(store);
    const filter = parseFilter({ '/name': { ends_with: ' nowhere' } });
    expect(await store.explain('stations', { filter, sort: [], limit: 20 })).toMatchObject({
      strategy: 'slices',
      tried: [{ indexes: ['id'], isWhole: false }],
    });
  });
});

test('no page is compiled, however large PostgreSQL takes the tables to be', async () => {
  await using database = postgres();
  await using store = await database.open({ resources: [resource] });
  await fill(store);
  for (const table of ['record_1', 'past_1']) await executeRaw(database, `analyze ${table}`);
  await queryPostgres(
    `update pg_class set reltuples = reltuples * 50000
      where relnamespace = '${database.schema}'::regnamespace and relname ~ '^(record|past)_1'`,
  );
  for (const [name, filter, sort] of queries) {
    for (const at of [undefined, RECORDS]) {
      const { tried } = await store.explain('stations', pageQuery(at, filter, sort));
      const plan = tried.flatMap((statement) => statement.plan).join('\n');
      expect([name, at, plan]).toEqual([name, at, expect.not.stringContaining('JIT:')]);
    }
  }
});

test('a page as of a position reads few of the versions that have ended since', async () => {
  await using database = postgres();
  {
    await using store = await database.open({ resources: [resource] });
    await fill(store);
  }
  for (const [name, filter, sort] of [
    ['ids from one on', { '/id': { gt: 's015000' } }, ''],
    ['three of a field', { '/height': { in: [13, 113, 213] } }, ''],
    ['few, sorted by another', { '/status': { eq: 'lost' } }, '/name'],
  ] as const) {
    const before = await pastEntriesRead(database);
    {
      await using store = await database.open({ resources: [resource] });
      const page = await store.source('stations').page(pageQuery(RECORDS, filter, sort));
      expect(recordsOfPage(page)).not.toEqual([]);
    }
    const entries = (await pastEntriesRead(database)) - before;
    expect([name, entries < 100 ? 'few' : entries]).toEqual([name, 'few']);
  }
});

/** A session of the server counts at its end at the latest. */
async function pastEntriesRead({ schema }: TestDatabase): Promise<number> {
  await vi.waitFor(async () => {
    const sessions = `select count(*) as open from pg_stat_activity where application_name = '${schema}'`;
    expect((await queryPostgres(sessions))[0]?.['open']).toBe('0');
  });
  const [row] = await queryPostgres(
    `select sum(idx_tup_read) as entries from pg_stat_user_indexes where schemaname = '${schema}' and relname = 'past_1'`,
  );
  return Number(row?.['entries']);
}

/** Fields are numbered in the order of their pointers. */
function indexOf(pointer: string): string {
  const fields = [
    ...new Set([...Object.keys(resource.filterableFields ?? {}), ...(resource.sortableFields ?? [])]),
  ];
  return pointer === 'id' ? 'id' : `record_1_k${fields.toSorted().indexOf(pointer) + 1}`;
}

/** SQLite says SEARCH or SCAN with the index; PostgreSQL an index scan of one of three kinds. */
const BY_INDEX = /USING (?:COVERING )?INDEX|USING INTEGER PRIMARY KEY|Index (?:Only )?Scan/;

/**
 * A scan of one of the big tables, or of all entries of a range, however many they are, which is what PostgreSQL's bitmaps are made of.
 * Pages without a filter begin with a scan of an index of current records; nothing else scans.
 */
const NOT_BY_INDEX =
  /SCAN record_1(?! USING)|SCAN past_1|Seq Scan on (?:record|past)_1|Bitmap Heap Scan on record_1/;
