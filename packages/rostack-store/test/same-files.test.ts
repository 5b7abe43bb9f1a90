import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { copyFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteDatabase as SqliteDriver } from 'kysely';
import { expect, test, vi } from 'vitest';
import { openStore } from '../src/index.ts';
import { setting } from './support/boats.ts';
import { sqliteFile } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

const resources = [stations];
const TWO_LIBRARIES = fileURLToPath(new URL('./support/two-libraries.ts', import.meta.url));

/** The lines of a program until it says that it is at its end; then it is killed. */
async function linesOf(program: string, file: string): Promise<readonly string[]> {
  const options = ['--conditions=workspace-source', '--no-warnings', program, file];
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, options, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === 'end') child.kill('SIGKILL');
  }
  await exit;
  return lines;
}

test('no acknowledged change is lost with a second SQLite library in the process, and a third process at the file', async () => {
  await using database = sqliteFile();
  const lines = await linesOf(TWO_LIBRARIES, database.file);
  expect(lines).toContain('refused transaction_refused');
  expect(lines).toContain('failed store_unavailable');
  expect(lines).toContain('fault store_unavailable');
  const acknowledged = lines.flatMap((line) => /^acknowledged (.*)$/.exec(line)?.[1] ?? []);
  expect(acknowledged).toContain('first');
  await using store = await database.open({ resources });
  const found = await Promise.all(acknowledged.map((id) => store.source('stations').get(id)));
  expect(acknowledged.filter((_, at) => found[at] === undefined)).toEqual([]);
});

test.each<readonly [string, (file: string) => unknown]>([
  ['node:sqlite', (file) => new DatabaseSync(file)],
  [
    'a second copy of better-sqlite3',
    (file) => new Sqlite(file, { nativeBinding: `${dirname(file)}/copy.node` }),
  ],
])('a connection of %s is refused with the remedy, also under Kysely', async (_name, connect) => {
  await using database = sqliteFile();
  await using store = await database.open({ resources });
  await copyFile(driverFile(), join(dirname(database.file), 'copy.node'));
  const connection = connect(database.file) as Sqlite.Database;
  const refusal = expect.objectContaining({
    code: 'transaction_refused',
    message: expect.stringMatching(/SQLite library.*open it with the better-sqlite3/) as string,
  }) as Error;
  connection.exec('begin');
  expect(() => store.applyWithin(connection, [put({ id: 'a', height: 1 })])).toThrow(refusal);
  connection.exec('commit');
  const kysely = new Kysely<object>({ dialect: new SqliteDialect({ database: forKysely(connection) }) });
  const within = kysely.transaction().execute((trx) => store.applyWithin(trx, [put({ id: 'a', height: 1 })]));
  await expect(within).rejects.toThrow(refusal);
  await kysely.destroy();
  expect(await store.source('stations').get('a')).toBeUndefined();
});

/** The file that better-sqlite3 has loaded into this process. */
function driverFile(): string {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: readonly string[] };
  const file = sharedObjects.find((path) => path.includes('better-sqlite3') && path.endsWith('.node'));
  if (file === undefined) throw new Error('better-sqlite3 is not loaded');
  return file;
}

/** Of a `DatabaseSync` what the dialect of Kysely needs. */
function forKysely(connection: Sqlite.Database): SqliteDriver {
  return {
    close: () => void connection.close(),
    prepare: (text) => {
      const statement = connection.prepare(text);
      return {
        reader: /^(?:select|update.*returning)/i.test(text),
        all: (values) => statement.all(...values),
        run: (values) => statement.run(...values),
        iterate: (values) => statement.iterate(...values),
      };
    },
  };
}

test('a connection of the store’s own library is taken, though the application limits its memory', async () => {
  await using database = sqliteFile();
  await using store = await database.open({ resources });
  const connection = new Sqlite(database.file);
  for (const [at, limit] of [0, 2 ** 40].entries()) {
    connection.pragma(`soft_heap_limit = ${limit}`);
    connection.transaction(() => store.applyWithin(connection, [put({ id: `${at}`, height: 1 })]))();
  }
  connection.pragma('soft_heap_limit = 0');
  connection.close();
  expect((await store.source('stations').head()).position).toBe(2);
});

const swap = async (file: string) => {
  await copyFile(file, `${file}.other`);
  await rename(`${file}.other`, file);
};

test.each<readonly [string, string, (file: string) => Promise<void>]>([
  ['log is removed', '-wal', (file) => rm(file)],
  ['log is replaced', '-wal', swap],
  ['index of the log is removed', '-shm', (file) => rm(file)],
  ['index of the log is replaced', '-shm', swap],
  ['database is removed', '', (file) => rm(file)],
  ['database is replaced', '', swap],
])('once the %s, writes fail and say so, and nothing is written any more', async (_name, suffix, harm) => {
  await using database = sqliteFile();
  await using left = new AsyncDisposableStack();
  left.defer(async () => {
    // SQLite leaves them next to a database that is not its own.
    for (const each of ['-wal', '-shm']) await rm(`${database.file}${each}`, { force: true });
  });
  await using store = await database.open({ resources });
  const connection = new Sqlite(database.file);
  await store.apply([put({ id: 'a', height: 1 })]);
  await harm(`${database.file}${suffix}`);
  // Nobody has to write for it to be known.
  expect(store.status.writeFault).toMatchObject({ error: { code: 'store_unavailable' } });
  const refusal = expect.objectContaining({
    code: 'store_unavailable',
    message: expect.stringMatching(
      /store\.db\S* was (?:removed|replaced) while it was open: .*start again/,
    ) as string,
    cause: expect.objectContaining({ code: 'SQLITE_READONLY_DBMOVED' }) as Error,
  }) as Error;
  await expect(store.apply([put({ id: 'b', height: 1 })])).rejects.toThrow(refusal);
  await expect(store.tryWrite()).rejects.toThrow(refusal);
  await expect(store.backUp(`${database.file}.backup`)).rejects.toThrow(refusal);
  connection.exec('begin');
  expect(() => store.applyWithin(connection, [put({ id: 'c', height: 1 })])).toThrow(refusal);
  connection.exec('rollback');
  connection.close();
  expect((await store.source('stations').head()).position).toBe(1);
  expect(store.status.writeFault).toBeDefined();
});

test('a change is not confirmed when the log is removed during a commit', async () => {
  await using database = sqliteFile();
  let harm = () => {};
  const nowMs = () => {
    harm();
    return Date.now();
  };
  await using store = await database.open({ resources, nowMs });
  await store.apply([put({ id: 'a', height: 1 })]);
  harm = () => renameSync(`${database.file}-wal`, `${database.file}-hidden`);
  await expect(store.apply([put({ id: 'b', height: 1 })])).rejects.toMatchObject({
    code: 'store_unavailable',
  });
  await rm(`${database.file}-hidden`);
});

test('an attached table is not followed into files that others do not read', async () => {
  await using at = await setting();
  const { app, store } = at;
  await at.follow();
  const { file } = app.prepare("select file from pragma_database_list where name = 'main'").get() as {
    file: string;
  };
  await rename(`${file}-wal`, `${file}-hidden`);
  app.exec(`insert into boats (id, name) values (1, 'a')`);
  await vi.waitFor(() => expect(at.alarms).toContainEqual(expect.objectContaining({ code: 'move_failed' })));
  expect((await store.source('boats').head()).position).toBe(0);
  expect(store.status.writeFault).toMatchObject({ error: { code: 'store_unavailable' } });
});

test('a database behind a symbolic link is known by the file that it leads to', async () => {
  await using database = sqliteFile();
  const link = `${database.file}.link`;
  await symlink(database.file, link);
  await using store = await openStore({ url: `sqlite:${link}`, resources });
  await store.apply([put({ id: 'a', height: 1 })]);
  expect(store.status.writeFault).toBeUndefined();
  await rename(`${database.file}-wal`, `${database.file}-hidden`);
  await expect(store.apply([put({ id: 'b', height: 1 })])).rejects.toMatchObject({
    code: 'store_unavailable',
  });
  await rename(`${database.file}-hidden`, `${database.file}-wal`);
});
