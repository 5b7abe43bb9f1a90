import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchWrites } from './write-watch.ts';

/** A file with two connections; the first one is watched. */
async function watched(nameOfLog: (file: string) => string | undefined) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const file = join(folder.path, 'data.db');
  const [ours, theirs] = [new Sqlite(file), new Sqlite(file)];
  onTestFinished(() => {
    for (const handle of [ours, theirs]) handle.close();
  });
  ours.pragma('journal_mode = wal');
  ours.exec('create table notes (text)');
  const counts = { looks: 0, told: 0 };
  const stop = watchWrites(
    nameOfLog(file),
    () => {
      counts.looks += 1;
      return ours.pragma('data_version', { simple: true });
    },
    () => {
      counts.told += 1;
    },
  );
  onTestFinished(stop);
  const write = (handle: Sqlite.Database) => handle.exec(`insert into notes values ('new')`);
  return { counts, stop, writeOurs: () => write(ours), writeTheirs: () => write(theirs), theirs };
}

test.each([
  ['the log is listened to', (file: string) => `${file}-wal`],
  ['the system does not tell of writes', (file: string) => `${file}-of-another-name`],
  ['there is no log', () => undefined],
])('what another connection writes is told, where %s', async (_, nameOfLog) => {
  const { counts, writeOurs, writeTheirs, stop } = await watched(nameOfLog);
  for (let written = 1; written <= 3; written += 1) {
    writeTheirs();
    await vi.waitFor(() => expect(counts.told).toBe(written));
  }
  writeOurs();
  stop();
  const { looks } = counts;
  writeTheirs();
  await wait(100);
  expect(counts).toEqual({ looks, told: 3 });
});

test('it is told from its commit on, which may come long after the first sign', async () => {
  const { counts, theirs } = await watched((file) => `${file}-wal`);
  theirs.pragma('cache_size = 1');
  theirs.exec('begin');
  // These rows exceed the cache, so some of them are in the log before the commit.
  for (let row = 0; row < 2_000; row += 1) theirs.exec(`insert into notes values ('${'long '.repeat(100)}')`);
  await vi.waitFor(() => expect(counts.looks).toBeGreaterThan(4));
  expect(counts.told).toBe(0);
  theirs.exec('commit');
  await vi.waitFor(() => expect(counts.told).toBe(1));
});

test('at rest it is looked at once a second, and after a write of our own a few times more', async () => {
  const { counts, writeOurs } = await watched((file) => `${file}-wal`);
  writeOurs();
  await wait(900);
  // The first check, those after events, and eight after the last event.
  expect(counts.looks).toBeLessThan(16);
  const { looks } = counts;
  await wait(900);
  expect(counts.looks - looks).toBeLessThanOrEqual(2);
  expect(counts.told).toBe(0);
});
