import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../database.ts';
import { SqliteReaders } from './readers.ts';

function start() {
  const folder = mkdtempSync(join(tmpdir(), 'rostack-readers-'));
  const file = join(folder, 'read.db');
  new Sqlite(file).exec('create table t (a)').close();
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  const onFailure = vi.fn<(cause: Error) => void>();
  const readers = new SqliteReaders(file, onFailure);
  onTestFinished(async () => {
    process.off('worker', note);
    await readers.close();
    rmSync(folder, { recursive: true });
  });
  const read = () =>
    readers.read(() => run({ kind: 'once', sql: 'select 1 as one', parameters: [] }), 600_000);
  return { read, threads, onFailure };
}

test('a thread serves one read after the other', async () => {
  const { read, threads } = start();
  expect([await read(), await read()]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  expect(threads).toHaveLength(1);
});

test('a thread that ends while it has nothing to do is told, and no later read meets it', async () => {
  const { read, threads, onFailure } = start();
  await read();
  await threads[0]?.terminate();
  expect(onFailure).toHaveBeenCalledTimes(1);
  expect(await read()).toEqual([{ one: 1 }]);
  expect(threads).toHaveLength(2);
});
