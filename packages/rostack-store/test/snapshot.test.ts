import * as fc from 'fast-check';
import { type JsonObject, parseFilter, parseSort, type RecordSource } from 'rostack-core';
import { describePostgres } from 'test-support/postgres';
import { testRuns } from 'test-support/test-runs';
import { describe, expect, test } from 'vitest';
import type { StoreChange } from '../src/index.ts';
import type { PageLimits } from '../src/page/plan/page-limits.ts';
import { readChain } from './support/chain.ts';
import {
  type OpenOptions,
  postgres,
  sqliteFile,
  sqliteMemory,
  type TestDatabase,
} from './support/databases.ts';
import { readToHead, type State, stateAfter } from './support/log-states.ts';
import { recordsOf } from './support/records-of.ts';
import { smallLimits } from './support/small-limits.ts';
import { put, remove, stations } from './support/stations.ts';

const MAX_MS = 600_000;

const ids = fc.constantFrom(...Array.from({ length: 25 }, (_, index) => `s${index}`));
const change: fc.Arbitrary<StoreChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        id: ids,
        height: fc.integer({ min: 0, max: 6 }),
        status: fc.constantFrom('on', 'off', 'lost'),
        name: fc.constantFrom('a', 'b', 'ü', '한'),
      })
      .map((record) => put(record)),
  },
  { weight: 1, arbitrary: ids.map((id) => remove(id)) },
);
const batch = fc.array(change, { minLength: 1, maxLength: 12 });

interface Chain {
  readonly before: readonly (readonly StoreChange[])[];
  readonly between: readonly (readonly StoreChange[])[];
  readonly filter: JsonObject | undefined;
  readonly sort: string;
  readonly limit: number;
}

const chains: fc.Arbitrary<Chain> = fc.record({
  before: fc.array(batch, { minLength: 1, maxLength: 4 }),
  /** Written after the pages of the chain, one batch after each. */
  between: fc.array(batch, { maxLength: 8 }),
  filter: fc.constantFrom<(JsonObject | undefined)[]>(
    undefined,
    { '/status': { eq: 'on' } },
    { '/status': { in: ['on', 'lost'] }, '/height': { gt: 2 } },
    { '/height': { lt: 4 } },
    { $or: [{ '/status': { eq: 'off' } }, { '/height': { gte: 5 } }] },
    { $or: [{ '/status': { eq: 'on' } }, { '/height': { eq: 3 } }] },
  ),
  sort: fc.constantFrom('', '/height', '-/height', '/name,-/height', '-/name,/height'),
  limit: fc.integer({ min: 1, max: 8 }),
});

interface Check {
  readonly create: () => TestDatabase;
  /** A case is four chains. */
  readonly cases: number;
  /** What they are read with, if not with the usual ones: then by another store of the same database. */
  readonly limits: fc.Arbitrary<PageLimits | undefined>;
}

/** A chain of pages while others write: it shows its position's state, and the log from there leads to the last state. */
async function checkChains({ create, cases, limits }: Check): Promise<void> {
  await using database = create();
  const options: OpenOptions = {
    resources: [stations],
    synchronous: 'normal',
    // Small pieces make many round trips, and a machine may be busy: time is not what is tested here.
    readTimeoutMs: 60_000,
  };
  await using store = await database.open(options);
  let state: State = new Map();
  const check = async (
    source: RecordSource,
    { before, between, filter, sort, limit }: Chain,
  ): Promise<void> => {
    const start = await source.head();
    for (const changes of before) await store.apply(changes);
    for (const logged of await readToHead(source, start.position)) state = stateAfter(state, logged);
    const { position: at } = await source.head();
    const query = {
      at,
      limit,
      filter: filter && parseFilter(filter),
      sort: sort === '' ? [] : parseSort(sort, stations.sortableFields ?? []),
    };
    const expected = recordsOf(state, query);
    const waiting = [...between];
    const records = await readChain(source, query, async () => {
      await store.apply(waiting.shift() ?? []);
    });
    expect(records.map(({ id, body }) => [id, body])).toEqual(expected);
    for (const logged of await readToHead(source, at, 5)) state = stateAfter(state, logged);
    const end = await source.head();
    const whole = await readChain(source, { at: end.position, sort: [], limit: 100 });
    expect(whole.map(({ id, body }) => [id, body])).toEqual([...state].sort(byId));
  };
  await fc.assert(
    fc.asyncProperty(fc.tuple(chains, chains, chains, chains), limits, async (ofCase, small) => {
      await using other = small && (await database.open(options, small));
      for (const chain of ofCase) await check((other ?? store).source('stations'), chain);
    }),
    { numRuns: cases, endOnFailure: true },
  );
}

function byId([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

const usual = fc.constant(undefined);

// oxlint-disable vitest/expect-expect -- the expectations are in checkChains
describe('a chain of pages while others write: SQLite', () => {
  test('shows the state at its position', { timeout: MAX_MS }, () =>
    checkChains({ create: sqliteMemory, cases: testRuns(12), limits: usual }),
  );
  test('also in small pieces', { timeout: MAX_MS }, () =>
    checkChains({ create: sqliteFile, cases: testRuns(8), limits: smallLimits }),
  );
});

describePostgres('a chain of pages while others write: PostgreSQL', () => {
  test('shows the state at its position', { timeout: MAX_MS }, () =>
    checkChains({ create: postgres, cases: testRuns(3), limits: usual }),
  );
  test('also in small pieces', { timeout: MAX_MS }, () =>
    checkChains({ create: postgres, cases: testRuns(2), limits: smallLimits }),
  );
});
