import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordSource } from 'rostack-core';
import { describePostgres, postgresSchema, queryPostgres } from 'test-support/postgres';
import { describe, expect, test } from 'vitest';
import type { CheckName } from '../src/cluster/peers/readiness.ts';
import { QuarantineWatch } from '../src/observe/health/quarantine-watch.ts';
import { ReadinessCheck } from '../src/observe/health/readiness.ts';
import {
  ADMIN_TOKEN,
  type AdminGateway,
  type AdminGatewayOptions,
  adminGateway,
} from './support/admin-gateway.ts';
import { follow, records, tokenFor } from './support/observed.ts';
import { runCommand } from './support/run-command.ts';

const ALL_OK = { migrations: 'ok', store: 'ok', writes: 'ok', tail: 'ok', replay: 'ok', serving: 'ok' };

const NO_TABLES = new QuarantineWatch({ store: undefined, tables: [] });

/** Short times, so that nothing has to be waited for. */
const HASTY: AdminGatewayOptions = {
  sections: 'health: { max_tail_lag: 300ms, write_trial_interval: 100ms }',
};

interface Answer {
  readonly status: number;
  readonly checks: Readonly<Record<CheckName, string>>;
  readonly reasons: Readonly<Partial<Record<CheckName, string>>>;
}

async function ready(running: AdminGateway): Promise<Answer> {
  const response = await running.admin('/readyz', { token: null });
  const body = (await response.json()) as Omit<Answer, 'status'>;
  return { ...body, status: response.status };
}

/** Status and reasons, as they are now. */
async function findings(running: AdminGateway): Promise<readonly [number, Answer['reasons']]> {
  const { status, reasons } = await ready(running);
  return [status, reasons];
}

/** Replaces methods of the source that everything in the gateway reads stations from; returns how to undo it. */
function breakSource(running: AdminGateway, broken: Partial<RecordSource>): () => void {
  const source: Partial<RecordSource> = running.gateway.store.source('stations');
  Object.assign(source, broken);
  return () => {
    for (const name of Object.keys(broken)) delete source[name as keyof RecordSource];
  };
}

/** Holds the lock for writes in a process of its own: within one, SQLite's locks do not exclude each other. Returns how to end it. */
async function lock(file: string): Promise<() => Promise<void>> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    new DatabaseSync(process.argv[1]).exec('begin immediate');
    process.stdout.write('locked');
    process.stdin.resume();
    process.stdin.on('end', () => process.exit());`;
  const child = spawn(process.execPath, ['--no-warnings', '-e', script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
}

/** That writes fail, for so many seconds at least. */
const failed = (least: number, code: string) =>
  new RegExp(`^Writes fail, for ${least === 0 ? '\\d+' : '[1-9]\\d*'} s \\(${code}\\)\\.$`);

const failing = () => Promise.reject(Object.assign(new Error('10.0.0.1 is gone'), { code: 'ECONNRESET' }));

describe('health', () => {
  test('is asked without a token: alive, and ready once it serves', async () => {
    await using running = await adminGateway();
    const alive = await running.admin('/healthz', { token: null });
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
    const response = await running.admin('/readyz', { token: null });
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ready', checks: ALL_OK, reasons: {} },
    ]);
  });

  test('is not ready when the store does not answer, and while it drains', async () => {
    await using running = await adminGateway();
    const { gateway } = running;
    const socket = await follow(gateway, await tokenFor(gateway));
    await gateway.store.close();
    const down = await running.admin('/readyz');
    expect(down.status).toBe(503);
    expect(await down.json()).toMatchObject({
      status: 'not_ready',
      checks: { store: 'failed', migrations: 'ok' },
      reasons: { store: 'The log of stations cannot be read.' },
    });
    const closing = gateway.close({ drainTimeoutMs: 1_000 });
    await expect
      .poll(async () => (await ready(running)).reasons)
      .toMatchObject({ serving: 'The gateway is draining.' });
    expect((await running.admin('/healthz')).status).toBe(200);
    await closing;
    socket.terminate();
  });

  test('looks at migrations, the tail, replays and the time that the store takes', async () => {
    await using running = await adminGateway();
    const { store, status } = running.gateway;
    const serving = {
      resources: ['stations'],
      store,
      status,
      tables: [],
      quarantine: NO_TABLES,
      isDraining: false,
    };
    const limits = { maxTailLagMs: 1_000, writeTrialIntervalMs: 1_000 };
    const reasonsOf = async (seen: Parameters<ReadinessCheck['look']>[0], storeTimeoutMs = 20_000) =>
      (await new ReadinessCheck({ ...limits, storeTimeoutMs }).look(seen)).reasons;
    expect(await reasonsOf({ ...serving, store: undefined, status: undefined })).toEqual({
      migrations: 'The tables are not up to date yet.',
      store: 'The store is not open yet.',
      serving: 'The gateway is starting.',
    });
    const [stations] = status.resources;
    if (stations === undefined) throw new Error('no status');
    const withStations = (members: object) => ({
      ...serving,
      status: { ...status, resources: [{ ...stations, ...members }] },
    });
    // A tail that has nothing to read is not behind, however long it rests.
    expect(await reasonsOf(withStations({ behindMs: 60_000 }))).toEqual({});
    await store.apply(records(1));
    expect(await reasonsOf(withStations({ behindMs: 1_900 }))).toEqual({});
    expect(await reasonsOf(withStations({ behindMs: 3_000 }))).toEqual({
      tail: 'The gateway is behind the log of stations, for 2 s.',
    });
    expect(await reasonsOf(withStations({ behindMs: 900, replayStalledMs: 900 }))).toEqual({});
    expect(await reasonsOf(withStations({ behindMs: 0, replayStalledMs: 12_000 }))).toEqual({
      replay: 'A replay of stations has stalled, for 12 s.',
    });
    const source = { head: () => new Promise(() => {}) };
    const silent = { source: () => source, status: store.status } as unknown as typeof store;
    expect(await reasonsOf({ ...serving, store: silent }, 50)).toEqual({
      store: 'The log of stations was not read within 50 ms.',
    });
  });

  test('is not behind the head of a log that went back', async () => {
    await using running = await adminGateway();
    const { store, status } = running.gateway;
    const [stations] = status.resources;
    if (stations === undefined) throw new Error('no status');
    const check = new ReadinessCheck({ maxTailLagMs: 0, storeTimeoutMs: 20_000, writeTrialIntervalMs: 1 });
    const tailAt = async (position: number, head: number) => {
      const mend = breakSource(running, { head: async () => ({ ...present, position: head }) });
      const resources = [{ ...stations, position, behindMs: 0 }];
      const { reasons } = await check.look({
        resources: ['stations'],
        store,
        status: { ...status, resources },
        tables: [],
        quarantine: NO_TABLES,
        isDraining: false,
      });
      mend();
      return reasons.tail;
    };
    const present = await store.source('stations').head();
    expect(await tailAt(2, 5)).toBeUndefined();
    expect(await tailAt(2, 5)).toMatch(/^The gateway is behind the log of stations, for \d+ s\.$/);
    // Another history, which the gateway follows: it will never come to where the first one ended.
    expect(await tailAt(2, 3)).toBeUndefined();
    expect(await tailAt(3, 3)).toBeUndefined();
    expect(await tailAt(3, 4)).toBeUndefined();
    expect(await tailAt(4, 4)).toBeUndefined();
  });

  test('asks the store once for those who ask at the same time', async () => {
    await using running = await adminGateway();
    let looks = 0;
    const source = running.gateway.store.source('stations');
    const head = source.head.bind(source);
    breakSource(running, {
      head: () => {
        looks += 1;
        return head();
      },
    });
    const { store, status } = running.gateway;
    const check = new ReadinessCheck({ maxTailLagMs: 1, storeTimeoutMs: 1_000, writeTrialIntervalMs: 1 });
    const seen = {
      resources: ['stations'],
      store,
      status,
      tables: [],
      quarantine: NO_TABLES,
      isDraining: false,
    };
    await Promise.all(Array.from({ length: 50 }, () => check.look(seen)));
    expect(looks).toBe(1);
  });
});

describe('a gateway is not ready', () => {
  test('while its log cannot be read, though nobody follows it', async () => {
    await using running = await adminGateway(HASTY);
    const mend = breakSource(running, { read: failing });
    expect(await findings(running)).toEqual([
      503,
      { store: 'The log of stations cannot be read (ECONNRESET).' },
    ]);
    mend();
    expect(await findings(running)).toEqual([200, {}]);
  });

  test.each<readonly [string, Partial<RecordSource>]>([
    ['reads fail', { read: failing }],
    ['looks at the head fail', { head: failing }],
    [
      'watching fails, and reading with it',
      {
        read: failing,
        watch: () => {
          throw new Error('no watching');
        },
      },
    ],
  ])('while the %s of the tail that followers are served from', async (_name, broken) => {
    await using running = await adminGateway({ ...HASTY, sections: '' });
    const { gateway } = running;
    const socket = await follow(gateway, await tokenFor(gateway));
    expect(await findings(running)).toEqual([200, {}]);
    const mend = breakSource(running, broken);
    const event = once(socket, 'message');
    await gateway.store.apply(records(1));
    // With the default of 10 s for the lag: it is the failure that is told, not what comes of it.
    await expect
      .poll(async () => (await findings(running))[1].tail)
      .toMatch(/^The log of stations cannot be read, for \d+ s \(ECONNRESET\)\.$/);
    expect((await ready(running)).status).toBe(503);
    mend();
    await expect.poll(() => findings(running)).toEqual([200, {}]);
    await event;
    socket.terminate();
  });

  test.each<readonly [string, (end: Promise<never[]>) => Partial<RecordSource>]>([
    ['do not end', (end) => ({ read: () => end })],
    ['find nothing, though the head has moved', () => ({ read: async () => [] })],
  ])('while reads of the tail %s', async (_name, brokenUntil) => {
    await using running = await adminGateway(HASTY);
    const { gateway } = running;
    const socket = await follow(gateway, await tokenFor(gateway));
    const end = Promise.withResolvers<never[]>();
    const mend = breakSource(running, brokenUntil(end.promise));
    // Into the store of a command, like one of another process: what the gateway writes itself it need not read.
    const file = join(running.folder, 'stations.ndjson');
    await writeFile(
      file,
      records(1)
        .map(({ record }) => `${JSON.stringify(record)}\n`)
        .join(''),
    );
    const config = join(running.folder, 'rostack-gateway.yaml');
    const imported = await runCommand(['import', 'stations', file, '--config', config], {
      environment: { ADMIN_TOKEN },
    });
    expect(imported.exitCode).toBe(0);
    await expect
      .poll(async () => (await findings(running))[1].tail)
      .toMatch(/^The gateway is behind the log of stations, for \d+ s\.$/);
    mend();
    end.resolve([]);
    await expect.poll(() => findings(running)).toEqual([200, {}]);
    socket.terminate();
  });

  test('while writes fail: SQLite is locked', async () => {
    await using running = await adminGateway({
      sections: `${HASTY.sections}\nstore: { write_timeout: 100ms }`,
    });
    expect((await running.put({ id: 'a', height: 1 }, {}, 'a')).status).toBe(201);
    expect(await findings(running)).toEqual([200, {}]);
    const unlock = await lock(join(running.folder, 'data/store.db'));
    // A lock that nobody has met yet is none that the gateway knows of: it does not write to find out.
    expect(await findings(running)).toEqual([200, {}]);
    expect((await running.put({ id: 'b', height: 1 }, {}, 'b')).status).toBe(503);
    expect(await findings(running)).toEqual([
      503,
      { writes: expect.stringMatching(failed(0, 'SQLITE_BUSY')) },
    ]);
    await expect.poll(async () => (await findings(running))[1].writes).toMatch(failed(1, 'SQLITE_BUSY'));
    await unlock();
    await expect.poll(() => findings(running)).toEqual([200, {}]);
    expect((await running.put({ id: 'b', height: 1 }, {}, 'b')).status).toBe(201);
  });
});

describe('a gateway is not ready any more', () => {
  test('once the log of its SQLite file was removed, though nobody writes', async () => {
    await using running = await adminGateway();
    expect((await running.put({ id: 'a', height: 1 }, {}, 'a')).status).toBe(201);
    const log = join(running.folder, 'data/store.db-wal');
    await rename(log, `${log}.removed`);
    const moved = expect.stringMatching(failed(0, 'SQLITE_READONLY_DBMOVED')) as string;
    expect(await findings(running)).toEqual([503, { writes: moved }]);
    expect((await running.put({ id: 'b', height: 1 }, {}, 'b')).status).toBe(503);
    await rename(`${log}.removed`, log);
    expect(await findings(running)).toEqual([503, { writes: moved }]);
  });
});

describePostgres('a gateway on PostgreSQL is not ready', () => {
  test('while writes fail: the disk is full', async () => {
    await using database = postgresSchema();
    await using running = await adminGateway({
      ...HASTY,
      storeUrl: database.url,
      environment: { STORE_URL: database.url, ROSTACK__STORE__SCHEMA: database.schema },
    });
    const { schema } = database;
    const forEachTable = (action: string) =>
      queryPostgres(`do $$ declare t text; begin
        for t in select tablename from pg_tables where schemaname = '${schema}' loop ${action}; end loop; end $$`);
    expect((await running.put({ id: 'a', height: 1 }, {}, 'a')).status).toBe(201);
    await queryPostgres(`create function ${schema}.full() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`);
    await forEachTable(
      `execute format('create trigger is_full before insert or update on ${schema}.%I execute function ${schema}.full()', t)`,
    );
    expect((await running.put({ id: 'b', height: 1 }, {}, 'b')).status).toBe(503);
    expect(await findings(running)).toEqual([503, { writes: expect.stringMatching(failed(0, '53100')) }]);
    await expect.poll(async () => (await findings(running))[1].writes).toMatch(failed(1, '53100'));
    await forEachTable(`execute format('drop trigger is_full on ${schema}.%I', t)`);
    await expect.poll(() => findings(running)).toEqual([200, {}]);
    expect((await running.put({ id: 'b', height: 1 }, {}, 'b')).status).toBe(201);
  });
});
