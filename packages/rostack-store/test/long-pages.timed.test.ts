import type { Worker } from 'node:worker_threads';
import { type Filter, type Page, parseFilter, parseSort, SourceUnavailableError } from 'rostack-core';
import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ResourceDefinition, Store, StoreAlarm } from '../src/index.ts';
import { PAGE_LIMITS } from '../src/page/plan/page-limits.ts';
import { internalsOf } from '../src/store/store-internals.ts';
import {
  type OpenOptions,
  postgres,
  sqliteFile,
  sqliteMemory,
  type TestDatabase,
} from './support/databases.ts';
import { recordsOfPage } from './support/page-records.ts';
import { put, stations } from './support/stations.ts';

const RECORDS = 10_000;
const WORDS = 80;
const PAGES = 10;
const SHORT_PAGES = 100;
/** For what takes seconds alone, on a busy machine. */
const PATIENT = { timeout: 600_000 };

const resources: readonly ResourceDefinition[] = [
  { ...stations, filterableFields: { '/name': ['contains'] }, sortableFields: ['/height', '/status'] },
];

/** 80 words, none of which is in a record: every record has to be tested for each of them. */
function expensive(number: number): Filter {
  const words = Array.from({ length: WORDS }, (_, index) => ({
    '/name': { contains: `word ${number}.${index}` },
  }));
  return parseFilter({ $or: words });
}

async function fill(store: Store, count: number, name = (index: number) => `name ${index}`): Promise<void> {
  const record = (index: number) => put({ id: `s${index}`, height: index % 7, name: name(index) });
  for (let from = 0; from < count; from += 1_000) {
    const length = Math.min(1_000, count - from);
    await store.apply(Array.from({ length }, (_, index) => record(from + index)));
  }
}

function pageOf(store: Store, filter: Filter, at: number) {
  const sort = parseSort('-/height,/status', ['/height', '/status']);
  return store.source('stations').page({ at, filter, sort, limit: 20 });
}

function expectNone(page: Page): void {
  expect([recordsOfPage(page), page.next]).toEqual([[], undefined]);
}

async function openFilled(
  database: TestDatabase,
  options: Partial<OpenOptions> = {},
  count = RECORDS,
  limits = PAGE_LIMITS,
) {
  // Which pages go on in threads is a matter of their time.
  const store = await database.open({ resources, synchronous: 'normal', ...options }, limits);
  await fill(store, count);
  return store;
}

/** The threads for reading that are started from now on; the thread for checkpoints is not one of them. */
function startedThreads(): readonly Worker[] {
  const threads: Worker[] = [];
  const note = (thread: Worker) => {
    if (thread.threadName === 'rostack-store reader') threads.push(thread);
  };
  process.on('worker', note);
  onTestFinished(() => {
    process.off('worker', note);
  });
  return threads;
}

async function untilStarted(threads: readonly Worker[], count: number): Promise<void> {
  await vi.waitFor(() => expect(threads).toHaveLength(count));
}

/** Asks for long pages, always as many at once, until it is told to stop. Returns how many were complete by then. */
async function longOnesUntil(store: Store, stop: AbortSignal): Promise<number> {
  let complete = 0;
  let number = 0;
  const read = async () => {
    while (!stop.aborted) {
      expectNone(await pageOf(store, expensive(number++), RECORDS));
      if (!stop.aborted) complete += 1;
    }
  };
  await Promise.all(Array.from({ length: PAGES }, read));
  return complete;
}

describe.each([
  ['SQLite', sqliteFile],
  ['SQLite in memory', sqliteMemory],
] as const)('%s', PATIENT, (_name, create) => {
  test('ten of the most expensive pages at once hold up short ones and writes by less than one of them', async () => {
    await using database = create();
    await using store = await openFilled(database);
    const stop = new AbortController();
    const long = longOnesUntil(store, stop.signal);
    for (let count = 0; count < SHORT_PAGES; count += 1) {
      const at = RECORDS + count;
      expect(recordsOfPage(await store.source('stations').page({ at, sort: [], limit: 5 }))).toHaveLength(5);
      await store.apply([put({ id: 's0', height: 1_000 + count })]);
    }
    stop.abort();

    // Work against work, on whatever machine: pages that are read one after the other would be ten for each short one.
    expect(await long).toBeLessThan(SHORT_PAGES);
  });

  test('closing the store ends long pages as unavailable', async () => {
    await using database = create();
    const store = await openFilled(database);
    const long = vi.spyOn(internalsOf(store).database, 'backgroundRead');
    const pages = [0, 1, 2].map((number) => pageOf(store, expensive(number), RECORDS));
    const outcomes = Promise.all(pages.map((page) => page.catch((error: unknown) => error)));
    await vi.waitFor(() => expect(long).toHaveBeenCalled(), { interval: 1 });
    await store.close();
    for (const outcome of await outcomes) expect(outcome).toBeInstanceOf(SourceUnavailableError);
  });
});

describe('SQLite in a file', PATIENT, () => {
  test('a reader thread that ends fails its page, raises an alarm and is replaced', async () => {
    await using database = sqliteFile();
    const alarms: StoreAlarm[] = [];
    await using store = await openFilled(database, { onAlarm: (alarm) => alarms.push(alarm) });
    const threads = startedThreads();
    const page = pageOf(store, expensive(0), RECORDS).catch((error: unknown) => error);
    await untilStarted(threads, 1);
    await threads[0]?.terminate();
    expect(await page).toMatchObject({ name: 'SourceUnavailableError', retryable: true });
    expect(alarms).toMatchObject([{ code: 'reader_failed' }]);
    expectNone(await pageOf(store, expensive(1), RECORDS));
    expect(threads).toHaveLength(2);
  });

  test('as many threads are started as pages may be read at once, and they end with the store', async () => {
    await using database = sqliteFile();
    const store = await openFilled(database, { maxLongReads: 2 });
    const threads = startedThreads();
    await Promise.all([0, 1, 2, 3].map((number) => pageOf(store, expensive(number), RECORDS)));
    expect(threads).toHaveLength(2);
    const ended = Promise.all(
      threads.map((thread) => new Promise((resolve) => thread.once('exit', resolve))),
    );
    await store.close();
    await ended;
  });

  test('short pages start no thread', async () => {
    await using database = sqliteFile();
    await using store = await openFilled(database, {}, 1_000, { ...PAGE_LIMITS, briefMs: 600_000 });
    const threads = startedThreads();
    const filter = parseFilter({ '/name': { contains: 'name 99' } });
    expect(recordsOfPage(await pageOf(store, filter, 1_000))).toHaveLength(11);
    expect(threads).toHaveLength(0);
  });
});

describe.each([
  ['SQLite', sqliteFile],
  ['SQLite in memory', sqliteMemory],
] as const)('records that take long to test: %s', PATIENT, (_name, create) => {
  test('do not keep a page beyond its time, though there are few of them', async () => {
    await using database = create();
    await using store = await openFilled(database, { readTimeoutMs: 300 }, 0);
    // One slice of these takes many times the limit.
    await fill(store, 200, (index) => `name ${index} ${'x'.repeat(400_000)}`);
    const before = process.cpuUsage();
    await expect(pageOf(store, expensive(0), 200)).rejects.toBeInstanceOf(SourceUnavailableError);
    const { user, system } = process.cpuUsage(before);
    // Work, not time: on a busy machine less of it fits into the limit.
    expect((user + system) / 1_000).toBeLessThan(1_500);
  });
});

describePostgres('PostgreSQL', () => {
  test('ten of the most expensive pages leave connections to others', PATIENT, async () => {
    await using database = postgres();
    await using store = await openFilled(database, { maxConnections: 3 });
    const waiting: number[] = [];
    const timer = setInterval(() => waiting.push(store.status.pool?.waiting ?? 0), 1);
    const pages = await Promise.all(
      Array.from({ length: PAGES }, (_, number) => pageOf(store, expensive(number), RECORDS)),
    );
    clearInterval(timer);
    for (const page of pages) expectNone(page);
    // At first each of them tries whether it is over in a moment; pages that keep their connections give nearly 1.
    const share = waiting.filter((count) => count > 0).length / waiting.length;
    expect(share).toBeLessThan(0.8);
  });

  test('an expensive page takes one processor of the server', PATIENT, async () => {
    const url = new URL(POSTGRES_URL);
    // As if each scan was worth all processors.
    const eager = ['min_parallel_table_scan_size=0', 'parallel_setup_cost=0', 'parallel_tuple_cost=0'];
    url.searchParams.set('options', eager.map((setting) => `-c ${setting}`).join(' '));
    await using database = postgres(url.href);
    await using store = await openFilled(database);
    const page = pageOf(store, expensive(0), RECORDS);
    const helpers = new Set<unknown>();
    const over = new AbortController();
    void page.finally(() => over.abort());
    while (!over.signal.aborted) {
      // The first statement of a page, which begins with its parts, is bounded in the rows that it looks at.
      const workers = await queryPostgres(`select worker.pid from pg_stat_activity as worker
        join pg_stat_activity as leader on leader.pid = worker.leader_pid and leader.query like 'select%'
        where worker.application_name = '${database.schema}' and worker.backend_type = 'parallel worker'`);
      for (const { pid } of workers) helpers.add(pid);
    }
    expectNone(await page);
    expect(helpers).toEqual(new Set());
  });
});
