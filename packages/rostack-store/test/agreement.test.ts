import * as fc from 'fast-check';
import {
  collateFilter,
  compareRecords,
  compileFilter,
  type JsonObject,
  type Position,
  parseFilter,
  parseSort,
  type RecordSource,
} from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { testRuns } from 'test-support/test-runs';
import { describe, expect, test } from 'vitest';
import type { ResourceDefinition, Store, StoreChange } from '../src/index.ts';
import { readChain } from './support/chain.ts';
import {
  describeBoth,
  type OpenOptions,
  postgres,
  sqliteFile,
  type TestDatabase,
} from './support/databases.ts';
import { bodies, COLLATIONS, filters, SORTABLE, sorts, things } from './support/json-arbitraries.ts';
import { smallLimits } from './support/small-limits.ts';

const RECORDS = 60;
const QUERIES = 50;
const MAX_MS = 600_000;

const ids = fc.constantFrom(...Array.from({ length: RECORDS }, (_, index) => idOf(index)));
const states = fc.array(fc.tuple(ids, bodies), { minLength: RECORDS / 2, maxLength: RECORDS });
const queries = fc.array(
  fc.record({
    filter: fc.option(filters, { nil: undefined, freq: 10 }),
    sort: sorts,
    limit: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 20, max: 70 }) },
      fc.integer({ min: 2, max: 12 }),
    ),
    isOld: fc.boolean(),
    isSmall: fc.integer({ min: 1, max: 8 }).map((number) => number === 1),
  }),
  { minLength: QUERIES, maxLength: QUERIES },
);

/** Ids whose order by UTF-16 unit is not their order by code point are among them, and texts of integers. */
function idOf(index: number): string {
  return index % 5 === 4 ? String(29 - index) : `${['a', '\uffee', '😀', '한'][index % 4]}${index}`;
}

/** Every query on a state that is current and on one that has partly passed since, against the predicate and order of rostack-core. Returns their number. */
async function countAgreement(create: () => TestDatabase, cases: number): Promise<number> {
  await using database = create();
  const options: OpenOptions = {
    resources: [things],
    synchronous: 'normal',
    retention: { intervalMs: 0 },
    // The smallest pieces make many round trips, and a machine may be busy: time is not what is tested here.
    readTimeoutMs: 60_000,
  };
  await using store = await database.open(options);
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(states, states, queries, smallLimits, async (before, since, queries, limits) => {
      await using small = await database.open(options, limits);
      const old = await replaceAll(store, before);
      const changes = since.map(([id, body], index) => (index % 5 === 0 ? removal(id) : writing(id, body)));
      await store.apply(changes);
      const current = stateAfter(old.state, since);
      const { position } = await store.source('things').head();
      for (const { filter, sort, limit, isOld, isSmall } of queries) {
        const source = (isSmall ? small : store).source('things');
        const query = {
          filter: filter && collateFilter(parseFilter(filter), COLLATIONS),
          sort: sort === '' ? [] : parseSort(sort, SORTABLE, COLLATIONS),
          limit,
        };
        const state = isOld ? old : { at: position, state: current };
        const found = await idsOf(source, { ...query, at: state.at });
        expect({ filter, sort, isOld, isSmall, found }).toEqual({
          filter,
          sort,
          isOld,
          isSmall,
          found: expectedIds(state.state, query),
        });
        seen += 1;
      }
    }),
    { numRuns: Math.ceil(cases / QUERIES), endOnFailure: true },
  );
  return seen;
}

type State = ReadonlyMap<string, JsonObject>;
type Query = Parameters<typeof readChain>[1];

async function idsOf(source: RecordSource, query: Query): Promise<string[]> {
  return (await readChain(source, query)).map(({ id }) => id);
}

function expectedIds(state: State, { filter, sort }: Omit<Query, 'at'>): string[] {
  const matches = filter === undefined ? () => true : compileFilter(filter);
  return [...state]
    .map(([id, value]) => ({ id, value }))
    .filter(({ value }) => matches(value))
    .sort(compareRecords(sort))
    .map(({ id }) => id);
}

async function replaceAll(
  store: Store,
  records: readonly (readonly [string, JsonObject])[],
): Promise<{ at: Position; state: State }> {
  await store.apply(Array.from({ length: RECORDS }, (_, index) => removal(idOf(index))));
  await store.apply(records.map(([id, body]) => writing(id, body)));
  const { position: at } = await store.source('things').head();
  return { at, state: new Map(records.map(([id, body]) => [id, recordOf(id, body)])) };
}

function stateAfter(state: State, changes: readonly (readonly [string, JsonObject])[]): State {
  const after = new Map(state);
  for (const [index, [id, body]] of changes.entries()) {
    if (index % 5 === 0) after.delete(id);
    else after.set(id, recordOf(id, body));
  }
  return after;
}

function recordOf(id: string, body: JsonObject): JsonObject {
  return Object.fromEntries([...Object.entries(body), ['id', /^-?\d+$/.test(id) ? Number(id) : id]]);
}

function writing(id: string, body: JsonObject): StoreChange {
  return { resource: 'things', op: 'put', record: recordOf(id, body) };
}

function removal(id: string): StoreChange {
  return { resource: 'things', op: 'delete', id };
}

describe('SQL and the predicate of rostack-core agree: SQLite', () => {
  test('on hundreds of filters, sorts and positions', { timeout: MAX_MS }, async () => {
    const cases = testRuns(250);
    expect(await countAgreement(sqliteFile, cases)).toBeGreaterThanOrEqual(cases);
  });
});

describePostgres('SQL and the predicate of rostack-core agree: PostgreSQL', () => {
  test('on many filters, sorts and positions', { timeout: MAX_MS }, async () => {
    const cases = testRuns(100);
    expect(await countAgreement(postgres, cases)).toBeGreaterThanOrEqual(cases);
  });
});

describeBoth('records with the same sort key', (create) => {
  test.each(['-/number', '/number,-/size'])(
    'are in order where a statement looks at a part of them only; sorted by %s',
    async (sort) => {
      await using database = create();
      const groups: ResourceDefinition = {
        name: 'groups',
        idPointer: '/id',
        schema: { type: 'object' },
        filterableFields: { '/word': ['contains'] },
        sortableFields: ['/number', '/size'],
      };
      await using store = await database.open({ resources: [groups], synchronous: 'normal' });
      // In each group of 400 eight match: a statement that looks at 1,000 entries ends in the middle of a group.
      const records = Array.from({ length: 4_000 }, (_, index) => ({
        id: `g${index}`,
        number: Math.floor(index / 400),
        size: index % 400,
        word: index % 50 === 0 ? 'one of few' : 'one of many',
      }));
      await store.apply(records.map((record) => ({ resource: 'groups', op: 'put', record })));
      const query = {
        filter: parseFilter({ '/word': { contains: 'few' } }),
        sort: parseSort(sort, ['/number', '/size']),
        limit: 21,
      };
      const state = new Map(records.map((record) => [record.id, record]));
      const { position: at } = await store.source('groups').head();
      expect(await idsOf(store.source('groups'), { ...query, at })).toEqual(expectedIds(state, query));
    },
  );
});
