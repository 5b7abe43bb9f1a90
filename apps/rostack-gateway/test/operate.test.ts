import { once } from 'node:events';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openStore, type Store } from 'rostack-store';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { bearing } from './support/get.ts';
import { describePostgres, postgresSchema, queryPostgres } from './support/postgres.ts';
import { runCommand } from './support/run-command.ts';
import { type RunningGateway, startGateway } from './support/running-gateway.ts';
import { stationSchema, writeSampleConfig } from './support/sample-config.ts';
import { spawnGateway } from './support/spawn-gateway.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ADMIN_TOKEN = 'admin-token-0123456789abcdef0123456789';
const ADMIN = 'listeners: { data: { port: 0 }, admin: { port: 0, token: { env: ADMIN_TOKEN } } }';

async function createTokenIn(config: string, environment: Record<string, string> = {}): Promise<string> {
  const argv = [
    'token',
    'create',
    '--principal',
    'me',
    '--grant',
    'stations:read',
    '--grant',
    'stations:follow',
  ];
  const { exitCode, stdout } = await runCommand([...argv, '--config', config], { environment });
  expect(exitCode).toBe(0);
  return stdout.trim();
}

interface Follower {
  readonly socket: WebSocket;
  readonly messages: Record<string, unknown>[];
  readonly closed: Promise<number>;
}

/** Follows stations; resolves once it is subscribed. */
async function follow({ url, ca }: RunningGateway, token: string): Promise<Follower> {
  const socket = new WebSocket(`${url.replace('https', 'wss')}/gateway`, 'rostack.v1', { ca });
  const messages: Record<string, unknown>[] = [];
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token })),
    );
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      messages.push(message);
      if (message['type'] === 'authenticated') {
        socket.send(JSON.stringify({ type: 'subscribe', subscription_id: 's', resource: 'stations' }));
      }
      if (message['type'] === 'subscribed') resolve();
    });
  });
  return { socket, messages, closed };
}

async function adminOf({ process }: RunningGateway): Promise<string> {
  const [, port] = await process.prints(/admin listener on port (\d+)/);
  return `http://127.0.0.1:${port}`;
}

const put = (admin: string, id: string, height: number) =>
  fetch(`${admin}/resources/stations/${id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, height }),
  });

describe('SIGTERM', () => {
  test('drains: followers are told, served until the drain time is over, and the process ends with 0', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, {
      sections: `${ADMIN}\nshutdown: { drain_time: 2s }`,
    });
    const token = await createTokenIn(config, { ADMIN_TOKEN });
    await using gateway = await startGateway(folder.path, { ADMIN_TOKEN });
    const admin = await adminOf(gateway);
    const follower = await follow(gateway, token);
    const startedAtMs = performance.now();
    const exited = gateway.process.stop('SIGTERM');
    await expect
      .poll(() => follower.messages.at(-1))
      .toMatchObject({ type: 'go_away', drain_timeout_ms: 2_000 });
    expect((await fetch(`${admin}/readyz`)).status).toBe(503);
    expect((await put(admin, 'late', 1)).status).toBe(201);
    await expect
      .poll(() => follower.messages.at(-1))
      .toMatchObject({ type: 'event', event_type: 'station.created', resource_id: 'late' });
    await expect(gateway.get('/.well-known/rostack')).rejects.toThrow('ECONNREFUSED');
    expect(await follower.closed).toBe(4410);
    expect(await exited).toBe(0);
    const tookMs = performance.now() - startedAtMs;
    expect(tookMs).toBeGreaterThan(1_500);
    expect(tookMs).toBeLessThan(8_000);
  });

  test('an echo of the signal changes nothing, a second one later ends it at once', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, {
      sections: `${ADMIN}\nshutdown: { drain_time: 60s }`,
    });
    const token = await createTokenIn(config, { ADMIN_TOKEN });
    await using gateway = await startGateway(folder.path, { ADMIN_TOKEN });
    const follower = await follow(gateway, token);
    const { child } = gateway.process;
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    await expect.poll(() => follower.messages.at(-1)).toMatchObject({ type: 'go_away' });
    child.kill('SIGTERM');
    await delay(1_500);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    await gateway.process.stop('SIGTERM');
    expect(child.signalCode).toBe('SIGTERM');
  });

  test('ends at once when nobody follows', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path, { sections: 'shutdown: { drain_time: 30s }' });
    await using gateway = await startGateway(folder.path);
    await gateway.get('/.well-known/rostack');
    const startedAtMs = performance.now();
    expect(await gateway.process.stop('SIGTERM')).toBe(0);
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  });
});

describePostgres('a second gateway on the same PostgreSQL', () => {
  test('is just another start: what is written by the one is served and followed by the other', async () => {
    await using database = postgresSchema();
    await using first = await temporaryFolder();
    await using second = await temporaryFolder();
    const environment = {
      STORE_URL: database.url,
      ADMIN_TOKEN,
      KEYS: '0123456789abcdef0123456789abcdef0123456789abcdef',
      ROSTACK__STORE__SCHEMA: database.schema,
    };
    const sample = { storeUrl: database.url, sections: `${ADMIN}\nkeys: { env: KEYS }` };
    const config = await writeSampleConfig(first.path, sample);
    await writeSampleConfig(second.path, sample);
    const [one, other] = await Promise.all([
      startGateway(first.path, environment),
      startGateway(second.path, environment),
    ]);
    await using _one = one;
    await using _other = other;
    const token = await createTokenIn(config, environment);
    const follower = await follow(other, token);
    const admin = await adminOf(one);
    for (let height = 0; height < 20; height += 1)
      expect((await put(admin, `s${height}`, height)).status).toBe(201);
    const events = () =>
      follower.messages.filter(({ type }) => type === 'event').map((event) => event['resource_id']);
    await expect.poll(events).toEqual(Array.from({ length: 20 }, (_, height) => `s${height}`));

    const page = await one.get('/api/stations?limit=5', { headers: bearing(token) });
    const { next_cursor: cursor } = (page.body as { page: { next_cursor: string } }).page;
    const next = await other.get(`/api/stations?limit=5&cursor=${cursor}`, { headers: bearing(token) });
    expect(next.status).toBe(200);
    expect((next.body as { items: unknown[] }).items).toHaveLength(5);

    await one.process.stop('SIGKILL');
    expect((await put(await adminOf(other), 'after', 1)).status).toBe(201);
    await expect.poll(() => events().at(-1)).toBe('after');
    const metrics = await fetch(`${await adminOf(other)}/metrics`, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(await metrics.text()).toMatch(/rostack_store_pool_max 9\n/);
    expect(await other.process.stop('SIGTERM')).toBe(0);
    expect(
      await queryPostgres(
        `select count(*)::int as count from ${database.schema}.note where name like 'served:%'`,
      ),
    ).toEqual([{ count: 1 }]);
  });
});

describe('a start', () => {
  const { name: _name, ...fewer } = stationSchema.properties;
  const narrower = { ...stationSchema, properties: fewer };
  const wider = { ...stationSchema, properties: { ...stationSchema.properties, note: { type: 'string' } } };

  /** Starts, and ends when it serves; the exit code and what was said. */
  async function tryStart(folder: string, environment: Record<string, string> = {}) {
    await using started = spawnGateway(['start'], { folder, environment });
    await Promise.race([started.prints(/on port (\d+)/).catch(() => {}), started.exited()]);
    const exitCode = started.child.exitCode ?? (await started.stop('SIGTERM'));
    return { exitCode, stderr: started.stderr };
  }

  test('is refused on a breaking change with the same API version, unless told otherwise', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 0 });
    await writeSampleConfig(folder.path, { schema: wider });
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 0 });

    await writeSampleConfig(folder.path, { schema: narrower });
    const refused = await tryStart(folder.path);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('API version "1" was served with more than this configuration offers');
    expect(refused.stderr).toContain(
      '/resources/stations/representations/application~1json#/name: field removed',
    );
    expect(refused.stderr).toContain('/note: field removed');
    expect(refused.stderr).toContain(
      'Write another identity.api_version, or compatibility.allow_breaking: true',
    );

    await writeSampleConfig(folder.path, { schema: narrower, apiVersion: '2' });
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 0 });
    // The version of before still has its own document.
    await writeSampleConfig(folder.path, { schema: narrower });
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 1 });
    const allowed = await tryStart(folder.path, { ROSTACK__COMPATIBILITY__ALLOW_BREAKING: 'true' });
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stderr).toContain('breaking changes, as allowed');
    expect(await tryStart(folder.path)).toMatchObject({ exitCode: 0 });
  });
});

describe('a start that is refused', () => {
  test('does not disturb a gateway that serves the same database', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    const token = await createTokenIn(config);
    await using running = await startGateway(folder.path);
    await writeSampleConfig(folder.path, { sortable: '[]' });
    await using refused = spawnGateway(['start'], { folder: folder.path });
    expect(await refused.exited()).toBe(1);
    expect(refused.stderr).toContain('/resources/stations/filtering/sortable_fields/~1height');
    const sorted = await running.get('/api/stations?sort=/height', { headers: bearing(token) });
    expect(sorted.status).toBe(200);
  });
});

const stationsDefinition = { name: 'stations', idPointer: '/id', schema: stationSchema };
const openAt = (folder: string): Promise<Store> =>
  openStore(`sqlite:${join(folder, 'data', 'store.db')}`, { resources: [stationsDefinition] });

describe('backup and restore', () => {
  const run = (folder: string, ...argv: string[]) =>
    runCommand([...argv, '--config', join(folder, 'rostack-gateway.yaml')]);

  test('bring back what stood, under a new epoch, and void the cursors of before', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, { sections: ADMIN });
    await runCommand(
      ['token', 'create', '--principal', 'x', '--grant', 'stations:read', '--config', config],
      {
        environment: { ADMIN_TOKEN },
      },
    );
    const environment = { environment: { ADMIN_TOKEN } };
    const backup = join(folder.path, 'stations.backup');
    {
      await using gateway = await startGateway(folder.path, { ADMIN_TOKEN });
      const admin = await adminOf(gateway);
      await put(admin, 'a', 1);
      const taken = await runCommand(['backup', backup, '--config', config], environment);
      expect(taken).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${backup}: `) });
      await put(admin, 'b', 2);
      const again = await runCommand(['backup', backup, '--config', config], environment);
      expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('exists') });

      // Not under a running gateway, wherever its file is.
      for (const argv of [
        ['restore', backup],
        ['restore', backup, '--move-aside'],
      ]) {
        const refused = await runCommand([...argv, '--config', config], environment);
        expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is in use') });
      }
      const database = join(folder.path, 'data', 'store.db');
      await rename(database, `${database}.elsewhere`);
      expect(await runCommand(['restore', backup, '--config', config], environment)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('is in use'),
      });
      await rename(`${database}.elsewhere`, database);
      expect(await gateway.process.stop('SIGTERM')).toBe(0);
    }
    const before = await openAt(folder.path);
    const { epoch } = await before.source('stations').head();
    await before.close();

    const overwriting = await runCommand(['restore', backup, '--config', config], environment);
    expect(overwriting).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('store.db exists: move it away, or add --move-aside'),
    });
    const restored = await runCommand(['restore', backup, '--move-aside', '--config', config], environment);
    expect(restored.stderr).toBe('');
    expect(restored).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('the database before it is'),
    });
    await using store = await openAt(folder.path);
    const head = await store.source('stations').head();
    expect(head.position).toBe(1);
    expect(head.epoch).not.toBe(epoch);
    expect(await store.source('stations').get('b')).toBeUndefined();
    const aside = (await readdir(join(folder.path, 'data'))).filter((name) => name.startsWith('store.db.2'));
    expect(aside.length).toBeGreaterThan(0);
  });

  test('a gateway does not start while its database is restored, and a lock dies with its process', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    await using killed = await startGateway(folder.path);
    await killed.process.stop('SIGKILL');
    const backup = join(folder.path, 'backup');
    expect(await run(folder.path, 'backup', backup)).toMatchObject({ exitCode: 0 });
    expect(await run(folder.path, 'restore', backup, '--move-aside')).toMatchObject({ exitCode: 0 });
  });

  test('a restore that fails leaves the database where it was', async () => {
    await using folder = await temporaryFolder();
    await writeSampleConfig(folder.path);
    const store = await openAt(folder.path);
    await store.apply([{ resource: 'stations', op: 'put', record: { id: 'a', height: 1 } }]);
    await store.close();
    const broken = join(folder.path, 'broken');
    await writeFile(broken, 'no database');
    const result = await run(folder.path, 'restore', broken, '--move-aside');
    expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is no whole backup') });
    await using after = await openAt(folder.path);
    expect(await after.source('stations').head()).toMatchObject({ position: 1 });
  });

  test('are for SQLite', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path, { storeUrl: 'postgres' });
    const environment = { STORE_URL: 'postgres://root@127.0.0.1:5432/test' };
    for (const command of ['backup', 'restore']) {
      const result = await runCommand([command, 'x', '--config', config], { environment });
      expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('for PostgreSQL') });
    }
  });
});

describe('diff', () => {
  const { place: _place, ...fewer } = stationSchema.properties;
  const fewerFields = { ...stationSchema, properties: fewer };

  test('of configurations, servers and files says what breaks, and whether the version says so', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    await using gateway = await startGateway(folder.path);
    const ca = join(folder.path, 'data', 'localhost.crt.pem');
    const broken = await writeSampleConfig(join(folder.path, 'broken'), { schema: fewerFields });
    const renamed = await writeSampleConfig(join(folder.path, 'renamed'), {
      schema: fewerFields,
      apiVersion: '2',
    });
    const document = join(folder.path, 'discovery.json');
    await writeFile(document, JSON.stringify((await gateway.get('/.well-known/rostack')).body));

    for (const old of [gateway.url, `${gateway.url}/.well-known/rostack`, document, config]) {
      const same = await runCommand(['diff', old, config, '--ca', ca]);
      expect(same).toEqual({ exitCode: 0, stdout: '', stderr: 'no breaking changes\n' });
      const worse = await runCommand(['diff', old, broken, '--ca', ca]);
      expect(worse.exitCode).toBe(1);
      expect(worse.stdout).toContain(
        '/resources/stations/representations/application~1json#/place: field removed',
      );
      expect(worse.stderr).toMatch(
        /^error: \d+ breaking changes, and the API version is still 1: it should change\n$/,
      );
      const versioned = await runCommand(['diff', old, renamed, '--ca', ca]);
      expect(versioned).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('has changed to 2') });
    }
    const backwards = await runCommand(['diff', broken, gateway.url, '--ca', ca]);
    expect(backwards).toMatchObject({ exitCode: 0 });
    const untrusted = await runCommand(['diff', gateway.url, config]);
    expect(untrusted).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be reached') });
  });

  test.each([
    [['diff', 'absent.json', 'absent.json'], 'ENOENT'],
    [['diff', 'http://127.0.0.1:9', 'absent.json'], 'cannot be reached'],
    [['diff', 'absent.json'], "missing required argument 'new'"],
  ])('%j ends with exit code 2', async (argv, message) => {
    const { exitCode, stderr } = await runCommand(argv);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test('a file may hold the schemas too', async () => {
    await using folder = await temporaryFolder();
    const config = await writeSampleConfig(folder.path);
    await using gateway = await startGateway(folder.path);
    const discovery = (await gateway.get('/.well-known/rostack')).body as {
      resources: { representations: { schema_url: string }[]; events: { schema_url: string }[] }[];
    };
    const urls = discovery.resources.flatMap(({ representations, events }) =>
      [...representations, ...events].map(({ schema_url }) => schema_url),
    );
    const schemas = Object.fromEntries(
      await Promise.all(
        urls.map(async (url) => [url, (await gateway.get(new URL(url).pathname)).body] as const),
      ),
    );
    await gateway.process.stop('SIGTERM');
    const bundle = join(folder.path, 'bundle.json');
    await writeFile(bundle, JSON.stringify({ discovery, schemas }));
    expect(await runCommand(['diff', bundle, config])).toMatchObject({ exitCode: 0 });
    const discoveryOnly = join(folder.path, 'discovery.json');
    await writeFile(discoveryOnly, JSON.stringify(discovery));
    const unreachable = await runCommand(['diff', discoveryOnly, config]);
    expect(unreachable).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be reached') });
    expect(await readFile(bundle, 'utf8')).toContain('schemas');
  });
});
