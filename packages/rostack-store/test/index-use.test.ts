import { parseFilter, parseSort } from 'rostack-core';
import { expect, test } from 'vitest';
import type { Database, Row, Work } from '../src/database/database.ts';
import { connect, prepareTables } from '../src/open-store.ts';
import { PAGE_LIMITS } from '../src/page/page-limits.ts';
import type { PlacedPageQuery } from '../src/page/page-scope.ts';
import { readPage } from '../src/page/read-page.ts';
import { resolveStoreOptions } from '../src/resolve-store-options.ts';
import { resolveResource } from '../src/resource/resolve-resource.ts';
import { describeBoth, type TestDatabase } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { put, stations } from './support/stations.ts';

const RECORDS = 20_000;
const CHANGED = 3_000;

/** Runs every query of a page also as EXPLAIN, and keeps the plans of those that read records. */
function explaining(database: Database, plans: string[]): Database {
  const explained = function* <T>(work: Work<T>): Work<T> {
    let step = work.next();
    while (step.done !== true) {
      const query = step.value;
      // Pages wait for each of their queries.
      if (query.kind === 'send' || query.kind === 'receive') throw new Error('a page sends no query ahead');
      if (/record_1|past_1/.test(query.sql)) {
        const explain = database.dialect.name === 'sqlite' ? 'explain query plan' : 'explain';
        const parameters = query.kind === 'once' ? query.parameters : (query.rows[0] ?? []);
        plans.push(planText(query.sql, yield { kind: 'once', sql: `${explain} ${query.sql}`, parameters }));
      }
      step = work.next(yield query);
    }
    return step.value;
  };
  return {
    dialect: database.dialect,
    pool: database.pool,
    read: (work) => database.read(() => explained(work())),
    longStepMs: database.longStepMs,
    readBriefly: (maxMs, work) => database.readBriefly(maxMs, () => explained(work())),
    readLong: (read, work) => database.readLong(read, () => explained(work())),
    readShort: (work) => database.readShort(() => explained(work())),
    ask: (work) => database.ask(work),
    write: (work) => database.write(work),
    watch: (onHint) => database.watch(onHint),
    hint: (resources) => {
      database.hint(resources);
    },
    close: () => database.close(),
  };
}

function planText(sql: string, rows: readonly Row[]): string {
  return [sql, ...rows.map((row) => String(row['detail'] ?? row['QUERY PLAN']))].join('\n');
}

async function filled(database: TestDatabase): Promise<void> {
  await using store = await database.open({ resources: [stations], synchronous: 'normal' });
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
  await store.apply(Array.from({ length: CHANGED }, (_, index) => record(index * 6, (index % 9_973) + 0.5)));
  await executeRaw(database, 'analyze record_1');
  await executeRaw(database, 'analyze past_1');
}

const queries: readonly (readonly [string, object | undefined, string])[] = [
  ['no filter', undefined, ''],
  ['eq', { '/status': { eq: 'on' } }, ''],
  ['in', { '/status': { in: ['on', 'lost'] } }, ''],
  ['a range', { '/height': { gte: 100, lt: 200 } }, ''],
  ['eq, few, sorted by another', { '/status': { eq: 'lost' } }, '/name'],
  ['eq, many, sorted by another', { '/status': { eq: 'on' } }, '/name'],
  ['a range, sorted by it', { '/height': { gt: 100 } }, '/height'],
  ['a range, sorted by it, descending', { '/height': { gt: 100 } }, '-/height'],
  ['a range, sorted by another', { '/height': { gt: 100 } }, '/name'],
  ['two sort keys', undefined, '/name,-/height'],
  ['an or of two fields', { $or: [{ '/status': { eq: 'lost' } }, { '/height': { eq: 7 } }] }, ''],
];

describeBoth('queries on advertised fields use their indexes', (create) => {
  test('current and old, first page and later ones', async () => {
    await using testDatabase = create();
    await filled(testDatabase);
    const options = resolveStoreOptions({ resources: [stations], schema: testDatabase.schema });
    const database = connect(testDatabase.url, options);
    await using _ = { [Symbol.asyncDispose]: () => database.close() };
    const resources = [resolveResource(stations)];
    const { stored } = await database.write(() => prepareTables(database, resources, options));
    const target = stored.get('stations');
    if (target === undefined) throw new Error('no stations');
    const limits = PAGE_LIMITS[database.dialect.name];
    for (const [name, filter, sort] of queries) {
      for (const at of [RECORDS, RECORDS + CHANGED]) {
        const plans: string[] = [];
        const query: PlacedPageQuery = {
          at,
          limit: 20,
          filter: filter && parseFilter(filter),
          sort: sort === '' ? [] : parseSort(sort, stations.sortableFields ?? []),
        };
        const first = await readPage(explaining(database, plans), target, query, 5_000, limits);
        expect([name, first.records.length]).toEqual([name, 20]);
        await readPage(explaining(database, plans), target, { ...query, after: first.next }, 5_000, limits);
        const isByEra = plans.some((plan) => plan.includes('to_position >> 12'));
        expect([name, at, isByEra]).toEqual([name, at, at === RECORDS && name !== 'no filter']);
        for (const plan of plans)
          expect([name, at, plan]).toEqual([name, at, expect.stringMatching(BY_INDEX)]);
        for (const plan of plans)
          expect([name, at, plan]).toEqual([name, at, expect.not.stringMatching(NOT_BY_INDEX)]);
      }
    }
  });
});

/** SQLite says SEARCH or SCAN with the index; PostgreSQL an index scan of one of three kinds. */
const BY_INDEX = /USING (?:COVERING )?INDEX|USING INTEGER PRIMARY KEY|Index (?:Only )?Scan/;

/** SQLite: a scan of the table or a sort of it; PostgreSQL: a scan of the table. */
const NOT_BY_INDEX = /SCAN (?:record|past)_1(?! USING)|USE TEMP B-TREE|Seq Scan/;
