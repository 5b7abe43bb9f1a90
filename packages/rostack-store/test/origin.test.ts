import { createHash, randomBytes } from 'node:crypto';
import { copyFile, open, rm, stat, truncate } from 'node:fs/promises';
import { describePostgres, POSTGRES_URL, queryPostgres } from 'test-support/postgres';
import { describe, expect, test } from 'vitest';
import { openStore, type StoreAlarm } from '../src/index.ts';
import { type OpenOptions, postgres, sqliteFile, type TestDatabase } from './support/databases.ts';
import { put, stations } from './support/stations.ts';

const resources = [stations];

/** Opens and closes the store; what it raised. */
async function alarmsAtOpening(database: Pick<TestDatabase, 'open'>): Promise<readonly StoreAlarm[]> {
  const alarms: StoreAlarm[] = [];
  await using _store = await database.open({ resources, onAlarm: (alarm) => alarms.push(alarm) });
  return alarms;
}

const codesAtOpening = async (database: Pick<TestDatabase, 'open'>) =>
  (await alarmsAtOpening(database)).map(({ code }) => code);

/** What a crash leaves: a file and its log with transactions in it, in a place of its own. */
async function crashed() {
  const database = sqliteFile();
  const file = `${database.file}.crashed`;
  {
    await using store = await database.open({ resources });
    for (let height = 0; height < 30; height += 1) await store.apply([put({ id: 'a', height })]);
    for (const suffix of ['', '-wal', '-shm'])
      await copyFile(`${database.file}${suffix}`, `${file}${suffix}`);
  }
  // The crash is to be told from the copy.
  const opened: TestDatabase = {
    ...database,
    url: `sqlite:${file}`,
    open: (options) => openStore({ url: `sqlite:${file}`, ...options }),
  };
  return { ...opened, file };
}

async function overwrite(file: string, at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
  await handle.close();
}

describe('a SQLite database that is opened', () => {
  test('is known again, and told once when its file is a copy', async () => {
    await using database = sqliteFile();
    expect(await codesAtOpening(database)).toEqual([]);
    expect(await codesAtOpening(database)).toEqual([]);
    await copyFile(database.file, `${database.file}.copy`);
    await rm(database.file);
    await copyFile(`${database.file}.copy`, database.file);
    expect(await alarmsAtOpening(database)).toMatchObject([
      { code: 'database_moved', message: expect.stringContaining('copied, restored or promoted') },
    ]);
    expect(await codesAtOpening(database)).toEqual([]);
  });

  test('is whole after a crash', async () => {
    await using database = await crashed();
    expect(await codesAtOpening(database)).toEqual(['database_moved']);
  });

  test.each<readonly [string, string, (file: string) => Promise<void>]>([
    ['was deleted', 'is missing', (file) => rm(`${file}-wal`)],
    [
      'was cut off within a frame',
      'ends within a frame',
      async (file) => truncate(`${file}-wal`, Math.floor((await stat(`${file}-wal`)).size / 2) + 77),
    ],
    [
      'is damaged in the middle',
      'is damaged in frame',
      async (file) =>
        overwrite(
          `${file}-wal`,
          Math.floor((await stat(`${file}-wal`)).size / 2),
          createHash('sha512').update('damage').digest(),
        ),
    ],
    [
      'is of nothing known',
      'is not a log of SQLite',
      (file) => overwrite(`${file}-wal`, 0, Buffer.alloc(32, 7)),
    ],
  ])('whose log %s is told', async (_name, message, spoil) => {
    await using database = await crashed();
    await spoil(database.file);
    const alarms = await alarmsAtOpening(database);
    expect(alarms).toContainEqual(
      expect.objectContaining({ code: 'wal_damaged', message: expect.stringContaining(message) }),
    );
    expect(await codesAtOpening(database)).toEqual([]);
  });
});

describePostgres('a PostgreSQL database that is opened', () => {
  test('is known again, and told once when a dump was loaded into it', async () => {
    await using database = postgres();
    expect(await codesAtOpening(database)).toEqual([]);
    expect(await codesAtOpening(database)).toEqual([]);
    await queryPostgres(`set search_path = ${database.schema};
      create table loaded (like state including all); insert into loaded select * from state;
      drop table state; alter table loaded rename to state`);
    expect(await codesAtOpening(database)).toEqual(['database_moved']);
    expect(await codesAtOpening(database)).toEqual([]);
  });

  test('opens without the privilege to learn which server it is', async () => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    const url = new URL(POSTGRES_URL);
    url.pathname = `/${name}`;
    await queryPostgres(`create database ${name}`);
    try {
      await queryPostgres(`create role ${name}; grant create on database ${name} to ${name}`);
      await queryPostgres('revoke execute on function pg_control_system() from public', url.href);
      url.searchParams.set('options', `-c role=${name}`);
      const database = { open: (options: OpenOptions) => openStore({ url: url.href, ...options }) };
      expect(await codesAtOpening(database)).toEqual([]);
      await using store = await database.open({ resources });
      expect(await store.apply([put({ id: 'a', height: 1 })])).toHaveLength(1);
    } finally {
      await queryPostgres(`drop database if exists ${name} with (force)`);
      await queryPostgres(`drop role if exists ${name}`);
    }
  });
});
