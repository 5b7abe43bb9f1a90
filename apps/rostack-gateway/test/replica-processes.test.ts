import { dirname, join } from 'node:path';
import { hasListener, hasNats, heardDuring, NATS_SERVER, randomSubject } from 'test-support/nats';
import { PostgresCluster } from 'test-support/own-postgres/cluster';
import { describePostgresPrograms } from 'test-support/own-postgres/describe';
import { PostgresPrograms } from 'test-support/own-postgres/programs';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { bearing } from './support/get.ts';
import { ADMIN, ADMIN_TOKEN, adminOf, createTokenIn, put } from './support/operating.ts';
import { followFrom } from './support/resuming-follower.ts';
import { type RunningGateway, startGateway } from './support/running-gateway.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const DATABASE = 'postgres';
/** For processes to start, and for what they do, on a busy machine. */
const PATIENCE_MS = 40_000;

async function cursorOf({ get }: RunningGateway, token: string): Promise<string> {
  const { body } = await get('/api/stations', { headers: bearing(token) });
  return (body as { page: { event_cursor: string } }).page.event_cursor;
}

/** The error that a subscription from a cursor gets. */
async function refusal({ url, ca }: RunningGateway, token: string, cursor: string): Promise<string> {
  const socket = new WebSocket(`${url.replace('https', 'wss')}/gateway`, 'rostack.v1', { ca });
  const send = (message: object) => socket.send(JSON.stringify(message));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.on('error', reject);
  socket.on('open', () => send({ type: 'authenticate', method: 'shared_token', token }));
  socket.on('message', (data: Buffer) => {
    const { type, code } = JSON.parse(data.toString()) as { type: string; code: string };
    if (type === 'authenticated')
      send({ type: 'subscribe', subscription_id: 's', resource: 'stations', cursor });
    if (type === 'subscribed' || type === 'error') resolve(code ?? type);
  });
  try {
    return await promise;
  } finally {
    socket.terminate();
  }
}

describePostgresPrograms('a process at a standby', atStandby, { timeout: 8 * PATIENCE_MS });

function atStandby(): void {
  const stack = new AsyncDisposableStack();
  let folder: TemporaryFolder;
  let primary: PostgresCluster;
  let standby: PostgresCluster;

  beforeAll(async () => {
    const programs = stack.use(await PostgresPrograms.find());
    folder = stack.use(await temporaryFolder());
    primary = new PostgresCluster(programs, 'primary');
    await primary.init();
    await primary.start();
    stack.defer(() => primary.stop('immediate'));
    standby = new PostgresCluster(programs, 'standby');
    await standby.followFrom(primary.port);
    await standby.start();
    stack.defer(() => standby.stop('immediate'));
  }, 60_000);

  afterAll(() => stack[Symbol.asyncDispose]());

  async function hasReplayed(): Promise<void> {
    const [row] = await primary.query(DATABASE, 'select pg_current_wal_lsn()::text as lsn');
    const query = `select pg_last_wal_replay_lsn() >= '${String(row?.['lsn'])}' as is_there`;
    await expect
      .poll(async () => (await standby.query(DATABASE, query))[0], { timeout: PATIENCE_MS })
      .toEqual({ is_there: true });
  }

  /**
   * A gateway at each server, in a database schema of their own.
   * @param sections further ones of the configuration: of both, and of the replica alone
   */
  async function startBoth(schema: string, sections: { both?: string; replica?: string }) {
    await using started = new AsyncDisposableStack();
    const { both = '', replica = '' } = sections;
    const prepare = async (role: 'primary' | 'replica', cluster: PostgresCluster, more: string) => {
      const environment = {
        ADMIN_TOKEN,
        KEYS: 'k'.repeat(43),
        STORE_URL: cluster.urlOf(DATABASE),
        ROSTACK__STORE__SCHEMA: schema,
        ROSTACK__STORE__ROLE: role,
        ROSTACK__STORE__READ_TIMEOUT: '1s',
      };
      const config = await writeSampleConfig(join(folder.path, `${schema}-${role}`), {
        storeUrl: environment.STORE_URL,
        sections: [ADMIN, 'keys: { env: KEYS }', both, more].join('\n'),
      });
      return { config, environment };
    };
    const first = await prepare('primary', primary, '');
    const atPrimary = started.use(await startGateway(dirname(first.config), first.environment));
    const admin = await adminOf(atPrimary);
    const token = await createTokenIn(first.config, first.environment);
    await hasReplayed();
    const second = await prepare('replica', standby, replica);
    const atStandby = started.use(await startGateway(dirname(second.config), second.environment));
    const held = started.move();
    return {
      atPrimary,
      atStandby,
      token,
      write: async (id: string) => expect((await put(admin, id, 1)).ok).toBe(true),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }

  test('of two workers: both wait for what the standby lacks, and go on from there once it has come', async () => {
    await using sites = await startBoth('workers', { replica: 'workers: 2' });
    const { atPrimary, atStandby, token, write } = sites;
    expect(atStandby.process.stderr.match(/"worker serves"/g)).toHaveLength(2);
    await using stack = new AsyncDisposableStack();
    // Connections are handed out in turn, so each worker gets half of the four.
    const four = async <T>(start: () => Promise<T>) => [
      await start(),
      await start(),
      await start(),
      await start(),
    ];
    const followFour = (cursor: string) =>
      four(async () => stack.use(await followFrom(cursor, atStandby, token)));
    const early = await followFour(await cursorOf(atPrimary, token));
    await standby.query(DATABASE, 'select pg_wal_replay_pause()');
    for (const id of ['a', 'b']) await write(id);
    const ahead = await cursorOf(atPrimary, token);
    expect(new Set(await four(() => refusal(atStandby, token, ahead)))).toEqual(
      new Set(['service_unavailable']),
    );
    await standby.query(DATABASE, 'select pg_wal_replay_resume()');
    await hasReplayed();
    const late = await followFour(ahead);
    for (const id of ['c', 'd']) await write(id);
    await expect
      .poll(() => [...early, ...late].map(({ ids }) => ids.join('')), { timeout: PATIENCE_MS })
      .toEqual([...early.map(() => 'abcd'), ...late.map(() => 'cd')]);
    expect([...early, ...late].flatMap(({ errors }) => errors)).toEqual([]);
  });

  test.skipIf(!hasNats)('listens to the hints that the primary gives over NATS', async () => {
    const subject = randomSubject();
    const both = `hints: { nats_servers: ["${NATS_SERVER}"], nats_subject: ${subject} }`;
    await using sites = await startBoth('hints', { both });
    const { atPrimary, atStandby, token, write } = sites;
    {
      await using follower = await followFrom(await cursorOf(atPrimary, token), atStandby, token);
      await heardDuring(subject, () => write('a'), /stations/);
      await expect.poll(() => follower.ids, { timeout: PATIENCE_MS }).toEqual(['a']);
      expect(follower.errors).toEqual([]);
    }
    expect(await atPrimary.process.stop()).toBe(0);
    expect(await hasListener(subject)).toBe(true);
    await atStandby.process.stop('SIGKILL');
    await expect.poll(() => hasListener(subject), { timeout: PATIENCE_MS }).toBe(false);
  });
}
