/**
 * Pages of a large table against those of 100,000 records in PostgreSQL, by kind of query, in turns, with the strategy of each: by the
 * clock, and by the processor time of the server's processes where these are of this machine (of Linux). Each page is read twice: the
 * first time what it needs of a table that is larger than the server's buffers has to come from the system. The ratio of a kind is the
 * median of its rounds, which are spread over the run. `RECORDS` is how many, ten million by default (about 7 GB of disk, and minutes to
 * fill); `ROUNDS` is how many rounds, 5 by default.
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { type PageQuery, type Position, parseFilter, parseSort, type RecordSource } from 'rostack-core';
import { openStore, type ResourceDefinition, type Store } from 'rostack-store';
import { POSTGRES_URL } from 'test-support/postgres-url';
import { encodeOrderKey } from '../../../packages/rostack-store/src/schema/key/encode-key.ts';
import { median, ratiosOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { readings } from './support/stores.ts';

const BASE_RECORDS = 100_000;
const RECORDS = Number(process.env['RECORDS'] ?? 10_000_000);
const CHANGES = 10_000;
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const LIMIT = 50;
/** Groups of queries, whose time is taken together: the system counts processor time when a process waits. */
const GROUPS = 20;
const QUERIES_PER_GROUP = 20;
const DEEP_PAGES = 200;
const BAR = 1.3;
const RESOURCE = 'readings';
const RECORDS_PER_STATION = 200;
/** A prime, and more than there are records. */
const VALUES = 10_000_019;
const BATCH = 1_000;
const ROWS_PER_STATEMENT = 10_000;

interface Reading {
  readonly id: string;
  readonly station: string;
  readonly value: number;
  readonly at: string;
  readonly note: string;
}

const definition: ResourceDefinition = {
  ...readings,
  filterableFields: {
    '/id': ['eq', 'in', 'gte'],
    '/station': ['eq', 'in', 'starts_with'],
    '/value': ['eq', 'gte', 'lt'],
  },
};
const sortedBy = (...fields: string[]) => parseSort(fields.join(','), ['/value', '/id']);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const valueOf = (number: number) => (number * 7_919) % VALUES;
const idOf = (number: number) => `reading-${String(number).padStart(7, '0')}`;

type Kind = (
  random: (below: number) => number,
) => Pick<PageQuery, 'filter' | 'sort'> & { readonly deep?: boolean };

/** What one of these asks for is in both tables, as ids of the small one are the first of the large one. */
const KINDS: Readonly<Record<string, Kind>> = {
  'by id': (random) => ({
    filter: parseFilter({ '/id': { gte: idOf(random(BASE_RECORDS - 100)) } }),
    sort: [],
  }),
  'some ids': (random) => ({
    filter: parseFilter({ '/id': { in: Array.from({ length: 20 }, () => idOf(random(BASE_RECORDS))) } }),
    sort: [],
  }),
  'by a field': (random) => ({
    filter: parseFilter({ '/value': { gte: random(VALUES - 100_000) } }),
    sort: sortedBy('/value'),
  }),
  'by a field, downwards': (random) => ({
    filter: parseFilter({ '/value': { lt: VALUES - random(VALUES - 100_000) } }),
    sort: sortedBy('-/value'),
  }),
  'by a field, no filter, a page far down': () => ({ sort: sortedBy('/value'), deep: true }),
  'one station': (random) => ({
    filter: parseFilter({ '/station': { eq: `station-${random(500)}` } }),
    sort: [],
  }),
  'one station, by a field': (random) => ({
    filter: parseFilter({ '/station': { eq: `station-${random(500)}` } }),
    sort: sortedBy('/value'),
  }),
  'three stations': (random) => ({
    filter: parseFilter({ '/station': { in: [1, 2, 3].map(() => `station-${random(500)}`) } }),
    sort: [],
  }),
  'either of two': (random) => ({
    filter: parseFilter({
      $or: [
        { '/station': { eq: `station-${random(500)}` } },
        { '/value': { eq: valueOf(random(BASE_RECORDS)) } },
      ],
    }),
    sort: [],
  }),
};

/** Values without ties, and stations of 200 records, in any table. */
function record(number: number, records: number, revision: number): Reading {
  return {
    id: idOf(number),
    station: `station-${number % (records / RECORDS_PER_STATION)}`,
    value: valueOf(number) + revision / 2,
    at: '2026-08-13T09:00:00.000Z',
    note: `revision ${revision} of a reading whose note is as long as such notes usually are`,
  };
}

async function write(store: Store, records: number, numbers: readonly number[], revision = 0): Promise<void> {
  for (let from = 0; from < numbers.length; from += BATCH) {
    const batch = numbers.slice(from, from + BATCH);
    await store.apply(
      batch.map((number) => ({
        resource: RESOURCE,
        op: 'put',
        record: { ...record(number, records, revision) },
      })),
    );
  }
}

/** A store with so many records: the first are written by it, the others as it would write them, which costs a tenth. */
async function filled(client: Client, schema: string, records: number): Promise<Store> {
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('application_name', schema);
  const store = await openStore({
    url: url.href,
    resources: [definition],
    schema,
    // Pruning would share the processor time that pages are measured by.
    retention: { intervalMs: 0 },
  });
  await write(store, records, range(0, BASE_RECORDS));
  for (let from = BASE_RECORDS; from < records; from += ROWS_PER_STATEMENT) {
    const rows = range(from, Math.min(from + ROWS_PER_STATEMENT, records)).map((number) => {
      const body = record(number, records, 0);
      return [body.id, JSON.stringify(body), body.id, body.station, body.value] as const;
    });
    const column = (place: number) => rows.map((row) => row[place]);
    const keys = (place: number) => rows.map((row) => encodeOrderKey(row[place] ?? null));
    await client.query(insertRows(schema, from), [column(0), column(1), keys(2), keys(3), keys(4)]);
  }
  await client.query(`update ${schema}.head set position = ${records}`);
  for (const table of ['record_1', 'log_1']) await client.query(`vacuum (analyze) ${schema}.${table}`);
  return store;
}

/** Fields are numbered by their pointers: id, station, value. */
const insertRows = (schema: string, from: number): string => `
  with rows as materialized (
    select * from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::bytea[])
      with ordinality as r(id, body, k1, k2, k3, number)
  ), records as (
    insert into ${schema}.record_1 (id, version, position, body, k1, k2, k3)
      select r.id, version, number + ${from}, r.body, r.k1, r.k2, r.k3
        from rows r cross join (select version from ${schema}.record_1 limit 1) as any_version
  )
  insert into ${schema}.log_1 (position, id, event_type, transition, version, occurred_at_ms, closed_bytes)
    select number + ${from}, r.id, event_type, transition, version, occurred_at_ms, closed_bytes
      from rows r cross join (select * from ${schema}.log_1 limit 1) as any_change`;

/** Random numbers that are the same in each run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** How long the server's processes of a store have had the processor, in us; undefined where they are not of this machine. */
async function processorUs(client: Client, schema: string): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1',
    [schema],
  );
  try {
    const spentNs = rows.map(({ pid }) =>
      Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]),
    );
    return spentNs.reduce((sum, each) => sum + each, 0) / 1_000;
  } catch {
    return undefined;
  }
}

interface Side {
  readonly schema: string;
  readonly store: Store;
  readonly source: RecordSource;
  /** The position whose state is read; the newest by default. */
  readonly at?: Position;
}

type Sides = Readonly<Record<'small' | 'large', Side>>;

async function queriesOf({ source, at }: Side, kind: Kind): Promise<readonly PageQuery[]> {
  const random = seeded(7);
  const { deep: isDeep = false, ...shape } = kind(random);
  const { next: after } = isDeep ? await source.page({ ...shape, at, limit: LIMIT * DEEP_PAGES }) : {};
  const count = (GROUPS + 1) * QUERIES_PER_GROUP;
  return Array.from({ length: count }, () => ({ ...kind(random), at, after, limit: LIMIT }));
}

interface Times {
  readonly clockMs: number[];
  /** Empty where the server does not tell. */
  readonly processorMs: number[];
}

/** Reads the pages of a group; how long one of them took by the clock, and of the server's processor. */
async function readGroup(
  client: Client,
  { schema, source }: Side,
  queries: readonly PageQuery[],
  times: Times,
): Promise<void> {
  const beforeUs = await processorUs(client, schema);
  for (const query of queries) {
    const startMs = performance.now();
    const { bodies } = await source.page(query);
    if (bodies.length === 0) throw new Error('an empty page');
    times.clockMs.push(performance.now() - startMs);
  }
  const afterUs = await processorUs(client, schema);
  if (beforeUs !== undefined && afterUs !== undefined)
    times.processorMs.push((afterUs - beforeUs) / queries.length / 1_000);
}

const TURNS = ['first', 'again'] as const;

/** The small one first in one group, the large one in the next. A group before them warms up. */
async function compare(client: Client, sides: Sides, kind: Kind) {
  const queries = { small: await queriesOf(sides.small, kind), large: await queriesOf(sides.large, kind) };
  const times = {
    first: { small: newTimes(), large: newTimes() },
    again: { small: newTimes(), large: newTimes() },
  };
  for (const name of ['small', 'large'] as const)
    await readGroup(client, sides[name], queries[name].slice(0, QUERIES_PER_GROUP), newTimes());
  for (let group = 1; group <= GROUPS; group += 1) {
    const from = group * QUERIES_PER_GROUP;
    for (const name of group % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
      const some = queries[name].slice(from, from + QUERIES_PER_GROUP);
      for (const turn of TURNS) await readGroup(client, sides[name], some, times[turn][name]);
    }
  }
  const ways: string[] = [];
  for (const name of ['small', 'large'] as const) {
    const { strategy, tried } = await sides[name].store.explain(
      RESOURCE,
      queries[name][0] ?? { sort: [], limit: 1 },
    );
    ways.push(`${strategy} by ${tried.at(-1)?.indexes.join(' and ')}`);
  }
  return { times, ways: [...new Set(ways)].join(', but ') };
}

const newTimes = (): Times => ({ clockMs: [], processorMs: [] });

async function measure(client: Client, when: string, sides: Sides): Promise<void> {
  const works = Object.entries(KINDS).map(
    ([name, kind]) => [name, () => compare(client, sides, kind)] as const,
  );
  const rounds = await runRounds(Object.fromEntries(works), { rounds: ROUNDS, warmUps: 0 });
  for (const [name, found] of Object.entries(rounds)) {
    for (const turn of TURNS) {
      const of = (time: keyof Times, side: keyof Sides) =>
        found.map(({ times }) => median(times[turn][side][time]));
      const ratios = (time: keyof Times) => ratiosOf(of(time, 'large'), of(time, 'small'));
      const said = (side: keyof Sides) =>
        `${median(of('clockMs', side)).toFixed(2)} ms (${median(of('processorMs', side)).toFixed(2)} of the processor)`;
      const clock = ratios('clockMs');
      report(`rostack-store/page-size/${[when, name, turn].join('/').replaceAll(/[ ,]+/g, '-')}`, {
        ratio: median(clock),
        bar: BAR,
        want: 'at most',
        note: `${said('large')} of ${RECORDS}, ${said('small')} of ${BASE_RECORDS}; rounds ${clock.map((each) => each.toFixed(2)).join(', ')}; of the processor ${median(ratios('processorMs')).toFixed(2)}; ${[...new Set(found.map(({ ways }) => ways))].join('; ')}`,
      });
    }
  }
}

const client = new Client({ connectionString: POSTGRES_URL });
await client.connect();
const SCHEMAS = ['bench_page_size_small', 'bench_page_size_large'] as const;
const drop = async () => {
  for (const schema of SCHEMAS) await client.query(`drop schema if exists ${schema} cascade`);
};
await drop();
try {
  await using small = await filled(client, SCHEMAS[0], BASE_RECORDS);
  await using large = await filled(client, SCHEMAS[1], RECORDS);
  const sides: Sides = {
    small: { schema: SCHEMAS[0], store: small, source: small.source(RESOURCE) },
    large: { schema: SCHEMAS[1], store: large, source: large.source(RESOURCE) },
  };
  await measure(client, 'now', sides);
  const before = {
    small: (await sides.small.source.head()).position,
    large: (await sides.large.source.head()).position,
  };
  const changed = range(0, CHANGES).map((number) => (number * 7_919) % BASE_RECORDS);
  await write(small, BASE_RECORDS, changed, 1);
  await write(large, RECORDS, changed, 1);
  await measure(client, `as of ${CHANGES} changes ago`, {
    small: { ...sides.small, at: before.small },
    large: { ...sides.large, at: before.large },
  });
} finally {
  await drop();
  await client.end();
}
