import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { RecordSource } from 'rostack-core';
import { openStore, type Store } from 'rostack-store';
import { describePostgres, postgresSchema, queryPostgres } from 'test-support/postgres';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../src/config/load-config.ts';
import { HeadCheckpoint } from '../src/observe/health/head-checkpoint.ts';
import { createGateway } from '../src/serving/gateway/create-gateway.ts';
import type { Gateway } from '../src/serving/gateway/gateway.ts';
import { openStations, stations } from './support/importing.ts';
import { records } from './support/observed.ts';
import { ADMIN, ADMIN_TOKEN, adminOf, put } from './support/operating.ts';
import { runCommand } from './support/run-command.ts';
import { startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const SHORTER = (was: number, is: number) =>
  expect.stringMatching(
    new RegExp(`^gateway alarm changes_lost: the log of stations ended at ${was} .*ends at ${is} now`),
  );
const ANOTHER = (at: number) =>
  expect.stringMatching(
    new RegExp(`^gateway alarm changes_lost: the log of stations holds another change at ${at} `),
  );

/** Starts a gateway on the configuration of a folder, works with it and closes it; what its log says. */
async function run(
  file: string,
  work: (gateway: Gateway) => unknown = () => {},
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  const config = await loadConfig(file, { environment: { ADMIN_TOKEN, ...environment } });
  await using gateway = await createGateway(config, { log: (line) => lines.push(line) });
  await work(gateway);
  return lines;
}

const write = (count: number) => (gateway: { readonly store: Pick<Store, 'apply'> }) =>
  gateway.store.apply(records(count));

/** A file that is a SQLite database, with two changes, and its content. */
async function stoppedSqlite(folder: TemporaryFolder) {
  const file = await writeSampleConfig(folder.path, { sections: ADMIN });
  expect(await run(file, write(2))).toEqual([]);
  const database = join(folder.path, 'data/store.db');
  return { file, database, content: await readFile(database) };
}

describe('a gateway that starts on SQLite', () => {
  test('says that its file was overwritten in place, once, and counts it', async () => {
    await using folder = await temporaryFolder();
    const { file, database, content } = await stoppedSqlite(folder);
    await run(file, (gateway) => gateway.store.apply(records(5).slice(2)));
    await writeFile(database, content);
    const countLost = async ({ adminPort }: Gateway) => {
      const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
      const metrics = await fetch(`http://127.0.0.1:${adminPort}/metrics`, { headers });
      expect(await metrics.text()).toContain('rostack_alarms_total{kind="changes_lost"} 1');
    };
    expect(await run(file, countLost)).toEqual([SHORTER(5, 2)]);
    expect(await run(file)).toEqual([]);
  });

  test('says that another history has become longer than the one it knew', async () => {
    await using folder = await temporaryFolder();
    const { file, database, content } = await stoppedSqlite(folder);
    await run(file, (gateway) => gateway.store.apply(records(4).slice(2)));
    await writeFile(database, content);
    await using store = await openStore({ url: `sqlite:${database}`, resources: [stations] });
    await store.apply(records(9).slice(2));
    expect(await run(file)).toEqual([ANOTHER(4)]);
  });

  test('says that its log was deleted after a crash', async () => {
    await using folder = await temporaryFolder();
    const { file, database, content } = await stoppedSqlite(folder);
    await using crashing = await startGateway(folder.path, { ADMIN_TOKEN });
    const admin = await adminOf(crashing);
    for (const id of ['x', 'y', 'z']) expect((await put(admin, id, 1)).status).toBe(201);
    // Another one that closes has seen what is lost, as one that looks every 10 seconds would have.
    expect(await run(file)).toEqual([]);
    await crashing.process.stop('SIGKILL');
    for (const suffix of ['-wal', '-shm']) await rm(`${database}${suffix}`);
    // A second after a commit the log is copied into the file: the file as it was before.
    await writeFile(database, content);
    expect(await run(file)).toEqual([SHORTER(5, 2)]);
  });

  test('says nothing where nothing was lost, the epoch is new, or the log was pruned', async () => {
    await using folder = await temporaryFolder();
    const { file, database, content } = await stoppedSqlite(folder);
    expect(await run(file, write(5))).toEqual([]);
    expect(await run(file)).toEqual([]);
    {
      await using pruned = await openStore({
        url: `sqlite:${database}`,
        resources: [stations],
        retention: { maxChanges: 1 },
      });
      await pruned.apply(records(9));
      expect(await pruned.prune()).toBeGreaterThan(5);
    }
    expect(await run(file)).toEqual([]);
    await writeFile(database, content);
    const renewed = await runCommand(['renew-epoch', '--config', file], { environment: { ADMIN_TOKEN } });
    expect(renewed.exitCode).toBe(0);
    expect(await run(file)).toEqual([]);
  });

  test('says nothing where the configuration names another store', async () => {
    await using folder = await temporaryFolder();
    const { file } = await stoppedSqlite(folder);
    const other = await writeSampleConfig(folder.path, { storeUrl: 'other', file: 'other.yaml' });
    expect(await run(other, write(1), { STORE_URL: `sqlite:${folder.path}/other.db` })).toEqual([]);
    expect(await run(other, write(1), { STORE_URL: 'sqlite::memory:' })).toEqual([]);
    expect(await readdir(join(folder.path, 'data/heads'))).toHaveLength(2);
    expect(await run(file)).toEqual([]);
  });
});

describePostgres('a gateway that starts on PostgreSQL', () => {
  test('says that the rows were put back, with other credentials too', async () => {
    await using database = postgresSchema();
    await using folder = await temporaryFolder();
    const file = await writeSampleConfig(folder.path, { storeUrl: database.url });
    const environment = { STORE_URL: database.url, ROSTACK__STORE__SCHEMA: database.schema };
    expect(await run(file, write(2), environment)).toEqual([]);
    const tables = await queryPostgres(
      `select table_name as name from information_schema.tables where table_schema = '${database.schema}'`,
    );
    const saved = tables
      .map(({ name }) => String(name))
      .map((name) => [`${database.schema}."${name}"`, `${database.schema}."saved ${name}"`]);
    await queryPostgres(saved.map(([table, copy]) => `create table ${copy} as table ${table}`).join(';'));
    expect(await run(file, write(5), environment)).toEqual([]);
    await queryPostgres(
      saved.map(([table, copy]) => `truncate ${table} cascade; insert into ${table} table ${copy}`).join(';'),
    );
    const url = new URL(database.url);
    url.password = 'another';
    expect(await run(file, () => {}, { ...environment, STORE_URL: url.href })).toEqual([SHORTER(5, 2)]);
    expect(await run(file, () => {}, environment)).toEqual([]);
  });
});

describe('what is remembered of the heads', () => {
  const remember = (dataDir: string, store: Store, lines: string[], lookIntervalMs = 60_000) =>
    HeadCheckpoint.start({
      dataDir,
      store: { url: 'postgres://me@db/x', schema: 'rostack' },
      sources: new Map<string, RecordSource>([['stations', store.source('stations')]]),
      onLost: (message) => lines.push(message),
      log: (line) => lines.push(line),
      lookIntervalMs,
    });
  const contentOf = async (dataDir: string) => {
    const [name = ''] = await readdir(join(dataDir, 'heads'));
    return JSON.parse(await readFile(join(dataDir, 'heads', name), 'utf8')) as unknown;
  };
  const at = (position: number) => ({ heads: { stations: { position } } });

  test('is written while the gateway runs, and when it closes', async () => {
    await using folder = await temporaryFolder();
    await using store = await openStations();
    const lines: string[] = [];
    await using heads = await remember(folder.path, store, lines, 5);
    await store.apply(records(3));
    await expect.poll(() => contentOf(folder.path)).toMatchObject(at(3));
    await heads[Symbol.asyncDispose]();
    await using slow = await remember(folder.path, store, lines);
    await store.apply(records(4));
    await slow[Symbol.asyncDispose]();
    expect(await contentOf(folder.path)).toMatchObject(at(4));
    expect(lines).toEqual([]);
  });

  test('is compared while the gateway runs, too', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'store.db');
    await using store = await openStations(`sqlite:${file}`);
    await store.apply(records(3));
    const lines: string[] = [];
    await using _heads = await remember(folder.path, store, lines, 5);
    const other = new Sqlite(file);
    other.exec('update head set position = 2');
    other.close();
    await expect.poll(() => lines).toEqual([expect.stringContaining('ended at 3')]);
  });

  test('ends nothing when it cannot be written, which is said once, or holds something else', async () => {
    await using folder = await temporaryFolder();
    await using store = await openStations();
    const lines: string[] = [];
    await writeFile(join(folder.path, 'heads'), 'in the way');
    {
      await using heads = await remember(folder.path, store, lines);
      await store.apply(records(3));
      await heads[Symbol.asyncDispose]();
    }
    expect(lines).toEqual([
      expect.stringContaining('cannot be used'),
      expect.stringContaining('cannot be written'),
    ]);
    await rm(join(folder.path, 'heads'));
    await mkdir(join(folder.path, 'heads'));
    await (await remember(folder.path, store, lines))[Symbol.asyncDispose]();
    const [name = ''] = await readdir(join(folder.path, 'heads'));
    await writeFile(join(folder.path, 'heads', name), '{"format": 2}');
    await (await remember(folder.path, store, lines))[Symbol.asyncDispose]();
    expect(lines.slice(2)).toEqual([expect.stringContaining('not what a gateway writes')]);
    expect(await contentOf(folder.path)).toMatchObject(at(3));
    await rm(join(folder.path, 'heads', name));
    await mkdir(join(folder.path, 'heads', name));
    await (await remember(folder.path, store, lines))[Symbol.asyncDispose]();
    expect(await readdir(join(folder.path, 'heads'))).toEqual([name]);
  });
});
