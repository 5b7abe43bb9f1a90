import * as fc from 'fast-check';
import { type Position, parseFilter, parseSort } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import type { StoreChange } from '../src/index.ts';
import type { PageLimits } from '../src/page/plan/page-limits.ts';
import { readChain } from './support/chain.ts';
import { describeBoth, sqliteMemory, type TestDatabase, TINY_LIMITS } from './support/databases.ts';
import { readToHead, type State, stateAfter } from './support/log-states.ts';
import { recordsOf } from './support/records-of.ts';
import { put, remove, stations } from './support/stations.ts';

const MAX_MS = 120_000;
/** Indexes on past versions change their part every 4,096 changes. */
const CHANGES = 11_500;
const BATCH = 500;
const POSITIONS = [1_500, 4_095, 4_096, 8_191, 8_192, 9_400];

const change = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        id: fc.nat({ max: 199 }).map((index) => `s${index}`),
        height: fc.integer({ min: 0, max: 400 }).map((tenths) => tenths / 10),
        status: fc.constantFrom('on', 'off', 'lost'),
        name: fc.constantFrom('a', 'b', 'ü', '한'),
      })
      .map((record) => put(record)),
  },
  { weight: 1, arbitrary: fc.nat({ max: 199 }).map((index) => remove(`s${index}`)) },
  // One record that changes again and again in the same places of the indexes.
  {
    weight: 3,
    arbitrary: fc
      .nat({ max: 1_000_000 })
      .map((number) => put({ id: 's7', height: 7, status: 'on', tags: [`${number}`] })),
  },
);

const queries = [
  [undefined, ''],
  [undefined, '/height'],
  [undefined, '-/height'],
  [undefined, '/name,-/height'],
  [{ '/status': { eq: 'on' } }, ''],
  [{ '/status': { eq: 'on' } }, '/height'],
  [{ '/status': { in: ['on', 'lost'] }, '/height': { gt: 2 } }, ''],
  [{ '/height': { gte: 3.1, lt: 3.3 } }, '/name'],
  [{ $or: [{ '/height': { lt: 0.3 } }, { '/height': { gt: 39.8 } }] }, ''],
] as const;

async function checkPages(create: () => TestDatabase, limits?: PageLimits): Promise<void> {
  await using database = create();
  await using store = await database.open({ resources: [stations], synchronous: 'normal' }, limits);
  const source = store.source('stations');
  const changes: StoreChange[] = fc.sample(change, { numRuns: CHANGES, seed: 20_261_122 });
  for (let from = 0; from < changes.length; from += BATCH) {
    await store.apply(changes.slice(from, from + BATCH));
  }
  const states = new Map<Position, State>();
  let state: State = new Map();
  for (const logged of await readToHead(source, 0)) {
    state = stateAfter(state, logged);
    if (POSITIONS.includes(logged.position)) states.set(logged.position, state);
  }
  expect([...states.keys()]).toEqual(POSITIONS);
  for (const [at, then] of states) {
    for (const [filter, sort] of queries) {
      const query = {
        at,
        limit: 30,
        filter: filter && parseFilter(filter),
        sort: sort === '' ? [] : parseSort(sort, stations.sortableFields ?? []),
      };
      const records = await readChain(source, query);
      const shown = records.map(({ id, body }) => [id, body]);
      expect({ at, filter, sort, shown }).toEqual({ at, filter, sort, shown: recordsOf(then, query) });
    }
  }
}

// oxlint-disable vitest/expect-expect -- the expectations are in checkPages
describeBoth('pages as of thousands of changes ago', (create) => {
  test('show the state of then', { timeout: MAX_MS }, () => checkPages(create));
});

describe('pages as of thousands of changes ago: SQLite alone', () => {
  test('also in the smallest pieces', { timeout: MAX_MS }, () => checkPages(sqliteMemory, TINY_LIMITS));
});
