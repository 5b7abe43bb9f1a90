import { performance } from 'node:perf_hooks';
import { type PageKey, type PageQuery, parseFilter, parseSort, type RecordSource } from 'rostack-core';
import type { Store } from 'rostack-store';
import { median } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { fill, postgresStore, reading, sqliteStore } from './support/stores.ts';

/** Deep pages against first ones, and pages of an old snapshot against pages of the head: the same query, in turns. */
const RECORDS = 100_000;
const CHANGES = 10_000;
const LIMIT = 50;
const ROUNDS = 60;
const SQLITE_REPEATS = 8;

const orders = [
  { name: 'by id', sort: [], filter: undefined, pages: 1_000 },
  { name: 'by a sort field', sort: parseSort('/value', ['/value']), filter: undefined, pages: 1_000 },
  {
    name: 'by a sort field, descending',
    sort: parseSort('-/value', ['/value']),
    filter: undefined,
    pages: 1_000,
  },
  // 200 records match: the fourth page is the last full one.
  { name: 'filtered', sort: [], filter: parseFilter({ '/station': { eq: 'station-7' } }), pages: 3 },
] as const;

async function keyAfter(source: RecordSource, query: PageQuery, pages: number): Promise<PageKey | undefined> {
  const { next } = await source.page({ ...query, limit: LIMIT * pages });
  return next;
}

/** Median ratio of two queries' times, and the medians in milliseconds. */
async function compare(source: RecordSource, base: PageQuery, other: PageQuery, repeats: number) {
  const timeOf = async (query: PageQuery): Promise<number> => {
    const startMs = performance.now();
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const { bodies } = await source.page(query);
      if (bodies.length === 0) throw new Error('an empty page');
    }
    return (performance.now() - startMs) / repeats;
  };
  const times = await runRounds(
    { base: () => timeOf(base), other: () => timeOf(other) },
    { rounds: ROUNDS, warmUps: 0, alternates: true },
  );
  const [baseMs, otherMs] = [median(times.base), median(times.other)];
  return { ratio: otherMs / baseMs, baseMs, otherMs };
}

async function run(name: string, store: Store, repeats: number): Promise<void> {
  await fill(store, RECORDS);
  const source = store.source('readings');
  const { position: at } = await source.head();
  for (const order of orders) {
    const first: PageQuery = { at, sort: order.sort, filter: order.filter, limit: LIMIT };
    const deep = { ...first, after: await keyAfter(source, first, order.pages) };
    await compare(source, first, deep, 1);
    const { ratio, baseMs, otherMs } = await compare(source, first, deep, repeats);
    report(`rostack-store/page-deep-${name}`, {
      ratio,
      bar: 1.2,
      want: 'at most',
      note: `${order.name}: page ${order.pages + 1} in ${otherMs.toFixed(3)} ms, page 1 in ${baseMs.toFixed(3)} ms`,
    });
  }
  for (let from = 0; from < CHANGES; from += 1_000) {
    await store.apply(
      Array.from({ length: 1_000 }, (_, index) => reading(((from + index) * 7_919) % RECORDS, 1)),
    );
  }
  const { position: head } = await source.head();
  for (const order of orders) {
    const current: PageQuery = { at: head, sort: order.sort, filter: order.filter, limit: LIMIT };
    const old = { ...current, at };
    await compare(source, current, old, 1);
    const { ratio, baseMs, otherMs } = await compare(source, current, old, repeats);
    report(`rostack-store/page-old-${name}`, {
      ratio,
      bar: 2,
      want: 'at most',
      note: `${order.name}: as of ${head - at} changes ago in ${otherMs.toFixed(3)} ms, as of now in ${baseMs.toFixed(3)} ms`,
    });
  }
}

{
  await using sqlite = await sqliteStore();
  await run('sqlite', sqlite, SQLITE_REPEATS);
}
const postgres = await postgresStore();
if (postgres === undefined) console.log('rostack-store/page-postgres: skipped, no PostgreSQL answers');
else {
  await run('postgres', postgres, 1);
  await postgres[Symbol.asyncDispose]();
}
