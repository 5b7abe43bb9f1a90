import { execFile, execFileSync } from 'node:child_process';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../src/drivers/database.ts';
import { once, sql } from '../src/drivers/dialect/sql.ts';
import { sqliteDialect } from '../src/drivers/sqlite/dialect/dialect.ts';
import { SqliteLog } from '../src/drivers/sqlite/file/log.ts';
import { openStore, type StoreAlarm, StoreUnavailableError } from '../src/index.ts';
import { internalsOf } from '../src/store/store-internals.ts';
import { sqliteFile } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

const WRITER = fileURLToPath(new URL('./support/sync-writer.ts', import.meta.url));

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
}

/** What a process of its own asked of the file system after it had opened the store, in the order in which it was done. */
async function traceOf(url: string, file: string, synchronous: 'full' | 'normal'): Promise<string[]> {
  const trace = `${file}.trace`;
  const options = [
    '--conditions=workspace-source',
    '--trace-event-categories=node.fs.async',
    `--trace-event-file-pattern=${trace}`,
  ];
  await promisify(execFile)(process.execPath, [...options, WRITER, url, synchronous]);
  const { traceEvents } = JSON.parse(await readFile(trace, 'utf8')) as { traceEvents: TraceEvent[] };
  const done = traceEvents
    .filter(({ name, ph }) => ph === 'e' && (name === 'fdatasync' || name === 'stat'))
    .sort((a, b) => a.ts - b.ts)
    .map(({ name }) => name);
  return done.slice(done.indexOf('stat') + 1);
}

test('a change is on disk when apply resolves, unless that was not asked for', async () => {
  await using database = sqliteFile();
  const changes = Array.from({ length: 10 });
  expect(await traceOf(database.url, database.file, 'full')).toEqual(
    changes.flatMap(() => ['fdatasync', 'stat']),
  );
  expect(await traceOf(database.url, database.file, 'normal')).toEqual(changes.map(() => 'stat'));
});

test('the log is copied into the file while the store is open, also after its thread has ended', async () => {
  await using database = sqliteFile();
  const alarms: StoreAlarm[] = [];
  await using store = await database.open({ resources: [stations], onAlarm: (alarm) => alarms.push(alarm) });
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  onTestFinished(() => {
    process.off('worker', note);
  });
  const opens = { interval: 100 };
  for (const id of ['a', 'b']) {
    await store.apply([put({ id, height: 7 })]);
    await vi.waitFor(async () => expect(await isInFile(database.file, id)).toBe(true), opens);
    await threads[0]?.terminate();
  }
  expect(threads).toHaveLength(2);
  expect(alarms).toMatchObject([{ code: 'reader_failed' }]);
});

test('threads end by themselves with their store, also while they start', async () => {
  await using database = sqliteFile();
  const exits: Promise<number>[] = [];
  const note = (thread: Worker) =>
    exits.push(new Promise((resolve) => thread.once('exit', (code) => resolve(code))));
  process.on('worker', note);
  onTestFinished(() => {
    process.off('worker', note);
  });
  // It loads the driver within some of these times.
  const delaysMs = [0, 25, 50, 100];
  for (const [count, delayMs] of delaysMs.entries()) {
    const store = await database.open({ resources: [stations] });
    await store.apply([put({ id: `${count}`, height: count })]);
    await vi.waitFor(() => expect(exits).toHaveLength(count + 1), { interval: 1 });
    await delay(delayMs);
    await store.close();
  }
  expect(await Promise.all(exits)).toEqual(delaysMs.map(() => 0));
});

test('a store that is closed leaves one file and no thread, also when its threads have read the file', async () => {
  await using database = sqliteFile();
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  onTestFinished(() => {
    process.off('worker', note);
  });
  {
    await using store = await database.open({ resources: [stations] });
    await store.apply([put({ id: 'a', height: 1 })]);
    const { database: internals } = internalsOf(store);
    const read = { deadlineMs: Number.POSITIVE_INFINITY, spentMs: 0 };
    const [row] = await internals.backgroundRead(read, () =>
      run(once(sqliteDialect, sql`select id from record_1`)),
    );
    expect(row).toEqual({ id: 'a' });
    expect(await readdir(dirname(database.file))).toEqual(['store.db', 'store.db-shm', 'store.db-wal']);
  }
  expect(threads.length).toBeGreaterThan(0);
  expect(threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
  expect(await readdir(dirname(database.file))).toEqual(['store.db']);
});

test('a change that the disk does not confirm is refused, and the disk is asked again for the next one', async () => {
  await using database = sqliteFile();
  // Nothing can be brought to disk there.
  execFileSync('mkfifo', [`${database.file}-pipe-wal`]);
  const log = new SqliteLog(`${database.file}-pipe`, {
    isSynced: true,
    isOurs: () => true,
    onFailure: () => {},
  });
  const failureOf = () => log.committed().catch((error: unknown) => error);
  const failures = [await failureOf(), await failureOf()];
  await log.close();
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(failure).toMatchObject({ message: expect.stringContaining('does not confirm') as string });
  }
  const causes = failures.map((failure) => (failure as Error).cause);
  expect(causes[0]).not.toBe(causes[1]);
});

/** Whether the file has the record without the log. */
async function isInFile(file: string, id: string): Promise<boolean> {
  const copy = `${file}.${id}.copy`;
  await copyFile(file, copy);
  await using store = await openStore({ url: `sqlite:${copy}`, resources: [stations], onAlarm: () => {} });
  return (await store.source('stations').get(id)) !== undefined;
}
