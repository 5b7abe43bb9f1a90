import { chmod, copyFile, open, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { restoreSqlite } from '../src/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { sqliteFile } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';
import { put, stations } from './support/stations.ts';

const many = Array.from({ length: 2_000 }, (_, index) =>
  put({ id: `s${index}`, height: index, name: `${index}`.padStart(400, 'x') }),
);

describe('a backup', () => {
  test.skipIf(process.platform === 'win32')(
    'can be read by its owner alone, and so can a database',
    async () => {
      await using database = sqliteFile();
      const backup = `${database.file}.backup`;
      {
        await using store = await database.open({ resources: [stations] });
        await store.apply([put({ id: 'a', height: 1 })]);
        await store.backUp(backup);
      }
      expect((await stat(backup)).mode & 0o777).toBe(0o600);
      // One that came over a network has lost its mode.
      await chmod(backup, 0o644);
      await restoreSqlite(backup, `${database.file}.restored`);
      await using _ = await openStore({ url: `sqlite:${database.file}.restored`, resources: [stations] });
      const modes = await Promise.all(
        [database.file, ...['', '-wal', '-shm'].map((suffix) => `${database.file}.restored${suffix}`)].map(
          async (file) => (await stat(file)).mode & 0o777,
        ),
      );
      expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
    },
  );

  test('is of one moment and ends, though another process writes all the time', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations] });
    await store.apply(many);
    await using writer = await database.open({ resources: [stations], synchronous: 'normal' });
    const done = new AbortController();
    let written = 0;
    const writing = (async () => {
      while (!done.signal.aborted) await writer.apply([put({ id: 's0', height: (written += 1) })]);
    })();
    await store.backUp(`${database.file}.backup`);
    done.abort();
    await writing;
    expect(written).toBeGreaterThan(2);
    await restoreSqlite(`${database.file}.backup`, `${database.file}.restored`);
    await using restored = await openStore({
      url: `sqlite:${database.file}.restored`,
      resources: [stations],
    });
    const { position } = await restored.source('stations').head();
    const first = await restored.source('stations').get('s0');
    expect(JSON.parse(first === undefined || first === 'gone' ? '{}' : first.body)).toMatchObject({
      height: position - many.length,
    });
  });

  test('that fails leaves nothing, and one that can be read is one file, before and after', async () => {
    await using database = sqliteFile();
    const backup = `${database.file}.backup`;
    {
      await using store = await database.open({ resources: [stations] });
      await store.apply([put({ id: 'a', height: 1 })]);
      await executeRaw(
        database,
        `create trigger is_kept before update on state begin select raise(abort, 'no new epoch'); end`,
      );
      await expect(store.backUp(backup)).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.stringContaining('no new epoch') as string,
      });
      await executeRaw(database, 'drop trigger is_kept');
    }
    const files = () => readdir(dirname(database.file));
    expect(await files()).toEqual(['store.db']);
    {
      await using store = await database.open({ resources: [stations] });
      await store.backUp(backup);
      await expect(store.backUp(backup)).rejects.toThrow('name a new file');
    }
    expect(await files()).toEqual(['store.db', 'store.db.backup']);
    await restoreSqlite(backup, `${database.file}.restored`);
    expect(await files()).toEqual(['store.db', 'store.db.backup', 'store.db.restored']);
  });
});

describe('a restore', () => {
  test('starts a new epoch, of a plain copy too', async () => {
    await using database = sqliteFile();
    const store = await database.open({ resources: [stations] });
    await store.apply([put({ id: 'a', height: 1 })]);
    await store.close();
    const copy = new Sqlite(database.file);
    copy.pragma('journal_mode = delete');
    copy.close();
    await copyFile(database.file, `${database.file}.copy`);
    await restoreSqlite(`${database.file}.copy`, `${database.file}.restored`);
    await using restored = await openStore({
      url: `sqlite:${database.file}.restored`,
      resources: [stations],
    });
    expect(restored.epoch).not.toBe(store.epoch);
    expect(await restored.source('stations').head()).toMatchObject({ position: 1, epoch: restored.epoch });
  });

  test('that fails leaves nothing; what a killed one left is no obstacle to the next, nor to a backup', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations] });
    await store.apply([put({ id: 'a', height: 1 })]);
    const folder = dirname(database.file);
    const [backup, target] = [`${database.file}.backup`, join(folder, 'new/restored.db')];
    await writeFile(`${backup}.partial`, 'half of a backup');
    await store.backUp(backup);
    const copy = new Sqlite(backup);
    copy.exec(`create trigger is_kept before update on state begin select raise(abort, 'no new epoch'); end`);
    await expect(restoreSqlite(backup, target)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: `cannot restore to ${target}: no new epoch`,
    });
    expect(await readdir(dirname(target))).toEqual([]);
    copy.exec('drop trigger is_kept');
    copy.close();
    const { size } = await stat(backup);
    await writeFile(`${target}.partial`, Buffer.alloc(2 * size, 'x'));
    await restoreSqlite(backup, target);
    expect(await readdir(dirname(target))).toEqual(['restored.db']);
    expect((await stat(target)).size).toBe(size);
    await using restored = await openStore({ url: `sqlite:${target}`, resources: [stations] });
    expect(await restored.source('stations').get('a')).toMatchObject({ id: 'a' });
  });

  test('never writes over a database or its journal', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations] });
    await store.backUp(`${database.file}.backup`);
    const before = await readFile(database.file);
    const again = restoreSqlite(`${database.file}.backup`, database.file);
    await expect(again).rejects.toMatchObject({
      code: 'store_options_invalid',
      message: `${database.file}, ${database.file}-wal, ${database.file}-shm already exist: move them away first`,
    });
    expect(await readFile(database.file)).toEqual(before);
    await writeFile(`${database.file}.other-wal`, '');
    const beside = restoreSqlite(`${database.file}.backup`, `${database.file}.other`);
    await expect(beside).rejects.toThrow(`${database.file}.other-wal already exists: move it away first`);
  });

  test('refuses what is no whole backup, and leaves nothing behind', async () => {
    await using database = sqliteFile();
    await using store = await database.open({ resources: [stations] });
    await store.apply(many);
    const backup = `${database.file}.backup`;
    await store.backUp(backup);
    const target = `${database.file}.restored`;
    await writeFile(`${database.file}.text`, 'a text');
    await truncate(backup, 20_480);
    for (const file of [`${database.file}.text`, `${database.file}.absent`, backup, database.file]) {
      await expect(restoreSqlite(file, target)).rejects.toMatchObject({ code: 'store_options_invalid' });
    }
    await expect(readFile(target)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readFile(`${target}.partial`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('refuses one with a damaged page, and one of a newer release, and leaves nothing behind', async () => {
    await using database = sqliteFile();
    const [damaged, newer] = [`${database.file}.damaged`, `${database.file}.newer`];
    {
      await using store = await database.open({ resources: [stations] });
      await store.apply(many);
      for (const file of [damaged, newer]) await store.backUp(file);
    }
    const copy = new Sqlite(newer);
    const tables = copy.prepare("select rootpage from sqlite_schema where name = 'record_1'");
    const page = Number(tables.pluck().get());
    const pageBytes = Number(copy.pragma('page_size', { simple: true }));
    copy.exec('update state set schema_version = 999');
    copy.close();
    const handle = await open(damaged, 'r+');
    await handle.write(Buffer.alloc(pageBytes, 0xff), 0, pageBytes, (page - 1) * pageBytes);
    await handle.close();
    const target = `${database.file}.restored`;
    await expect(restoreSqlite(damaged, target)).rejects.toThrow('is not a complete backup');
    await expect(restoreSqlite(newer, target)).rejects.toMatchObject({ code: 'schema_too_new' });
    const left = (await readdir(dirname(database.file))).filter((name) => name.includes('restored'));
    expect(left).toEqual([]);
  });
});
