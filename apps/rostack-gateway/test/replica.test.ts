import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FaultProxy } from 'test-support/fault-proxy';
import { PostgresCluster } from 'test-support/own-postgres/cluster';
import { describePostgresPrograms } from 'test-support/own-postgres/describe';
import { PostgresPrograms } from 'test-support/own-postgres/programs';
import { type TemporaryFolder, temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../src/config/load-config.ts';
import { createToken } from '../src/index.ts';
import { createGateway } from '../src/serving/gateway/create-gateway.ts';
import { ADMIN_TOKEN, Consumer } from './support/histories/handed-out.ts';
import { writeSampleConfig } from './support/sample-config.ts';

const KEYS = '0123456789abcdef0123456789abcdef0123456789abcdef';
const DATABASE = 'postgres';
const HOST = '127.0.0.1';

describePostgresPrograms('a gateway at a standby', () => {
  const stack = new AsyncDisposableStack();
  let folder: TemporaryFolder;
  let primary: PostgresCluster;
  let standby: PostgresCluster;
  let replication: FaultProxy;
  let token: string;
  let primaryUrl: string;
  let atPrimary: Consumer;
  let atStandby: Consumer;
  let atOther: Consumer;

  async function open(storeUrl: string, role: string): Promise<Consumer> {
    const sections = `listeners: { data: { port: 0 }, admin: { port: 0, token: { env: ADMIN_TOKEN } } }\nkeys: { env: KEYS }`;
    const file = await writeSampleConfig(folder.path, { storeUrl, sections });
    const environment = {
      STORE_URL: storeUrl,
      ADMIN_TOKEN,
      KEYS,
      ROSTACK__STORE__ROLE: role,
      ROSTACK__STORE__POLL_INTERVAL: '50ms',
      ROSTACK__STORE__READ_TIMEOUT: '1s',
    };
    const gateway = await createGateway(await loadConfig(file, { environment }));
    stack.defer(() => gateway.close({ drainTimeoutMs: 0 }));
    token ??= (
      await createToken(gateway.store.tokens, {
        subject: 'me',
        grants: ['stations:read', 'stations:follow'],
      })
    ).token;
    const ca = await readFile(join(folder.path, 'data/localhost.crt.pem'), 'utf8');
    return new Consumer(gateway, token, ca);
  }

  beforeAll(async () => {
    const programs = stack.use(await PostgresPrograms.find());
    folder = stack.use(await temporaryFolder());
    primary = new PostgresCluster(programs, 'primary');
    await primary.init();
    await primary.start();
    stack.defer(() => primary.stop('immediate'));
    primaryUrl = primary.urlOf(DATABASE);
    atPrimary = await open(primaryUrl, 'primary');
    await write('a', 'b', 'c');
    replication = stack.use(await FaultProxy.start(() => [{ host: HOST, port: primary.port }]));
    standby = new PostgresCluster(programs, 'standby');
    await standby.followFrom(replication.port);
    await standby.start();
    stack.defer(() => standby.stop('immediate'));
    atStandby = await open(standby.urlOf(DATABASE), 'replica');
    const other = new PostgresCluster(programs, 'other');
    await other.followFrom(primary.port);
    await other.start();
    stack.defer(() => other.stop('immediate'));
    atOther = await open(other.urlOf(DATABASE), 'replica');
  }, 60_000);

  afterAll(() => stack[Symbol.asyncDispose]());

  const write = async (...ids: readonly string[]) => {
    for (const [index, id] of ids.entries()) {
      const record = { id, height: Math.trunc(performance.now()) + index };
      await atPrimary.gateway.store.apply([{ resource: 'stations', op: 'put', record }]);
    }
  };
  const replay = (what: 'pause' | 'resume') => standby.query(DATABASE, `select pg_wal_replay_${what}()`);
  const hasReplayed = async (at = atStandby) => {
    const { position } = await atPrimary.gateway.store.source('stations').head();
    await expect.poll(async () => (await at.gateway.store.source('stations').head()).position).toBe(position);
  };

  test('serves what the primary serves: tokens, cursors and validators are the same, and follows go on', async () => {
    await hasReplayed();
    const there = await atPrimary.takeAll();
    const here = await atStandby.takeAll();
    const { pageCursor: _, ...same } = here;
    expect(there).toMatchObject({ ...same, pageEtag: expect.any(String), listEtag: expect.any(String) });
    expect(await atStandby.pageAfter(there.pageCursor)).toMatch(/^200/);
    expect(await atPrimary.pageAfter(here.pageCursor)).toMatch(/^200/);
    const following = await atStandby.follow(there.eventCursor);
    await write('d', 'e');
    expect(await following.events(2)).toEqual(['d', 'e']);
  });

  test('a cursor that it has not come to is told to come again, and good once it has', async () => {
    await hasReplayed();
    await replay('pause');
    const before = await atStandby.takeAll();
    await write('a', 'f');
    const ahead = await atPrimary.takeAll();
    const late = await atStandby.follow(ahead.eventCursor);
    expect(await late.ended()).toBe('service_unavailable');
    expect(await atStandby.pageAfter(ahead.pageCursor)).toBe('503 service-unavailable');
    expect(await atStandby.pageAfter(before.pageCursor)).toMatch(/^200/);

    const waiting = Promise.all([atStandby.follow(ahead.eventCursor), atStandby.pageAfter(ahead.pageCursor)]);
    await replay('resume');
    const [following, page] = await waiting;
    expect(page).toMatch(/^200/);
    await write('g');
    expect(await following.events(1)).toEqual(['g']);
  });

  test('a cursor of an epoch that it has not come to is awaited too; one of the epoch before is refused at once', async () => {
    await hasReplayed();
    await replay('pause');
    const old = await atPrimary.takeAll();
    await atPrimary.gateway.store.renewEpoch();
    const ahead = await atPrimary.takeAll();
    expect(await (await atStandby.follow(ahead.eventCursor)).ended()).toBe('service_unavailable');
    expect(await atStandby.pageAfter(ahead.pageCursor)).toBe('503 service-unavailable');
    await replay('resume');
    await write('h');
    // Until the gateway itself has noticed that there is a new epoch.
    await expect.poll(async () => (await atStandby.follow(ahead.eventCursor)).events(1)).toEqual(['h']);
    expect(await (await atStandby.follow(old.eventCursor)).ended()).toBe('cursor_unavailable');
    expect(await atStandby.pageAfter(old.pageCursor)).toBe('400 invalid-cursor');
  });

  test('writes nothing', async () => {
    const { gateway } = atStandby;
    const change = { resource: 'stations', op: 'delete', id: 'a' } as const;
    await expect(gateway.store.apply([change])).rejects.toMatchObject({ code: 'store_read_only' });
    await expect(gateway.store.prune()).rejects.toMatchObject({ code: 'store_read_only' });
    expect(() => gateway.store.check([change])).not.toThrow();
    const answer = await fetch(`http://${HOST}:${gateway.adminPort}/resources/stations/a`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'resource_read_only' }]);
    const ready = await fetch(`http://${HOST}:${gateway.adminPort}/readyz`);
    expect(ready.status).toBe(200);
  });

  test('once the standby is promoted, what it never got is refused', async () => {
    await hasReplayed();
    const common = await atPrimary.takeAll();
    replication.refuse(true);
    replication.cut();
    await write('a', 'lost');
    const lost = await atPrimary.takeAll();
    expect(await (await atStandby.follow(lost.eventCursor)).ended()).toBe('service_unavailable');
    await hasReplayed(atOther);
    await primary.stop('immediate');
    await standby.promote();
    expect(await (await atStandby.follow(lost.eventCursor)).ended()).toBe('cursor_unavailable');
    expect(await atStandby.pageAfter(lost.pageCursor)).toBe('400 invalid-cursor');
    atPrimary = await open(standby.urlOf(DATABASE), 'primary');
    const following = await atStandby.follow(common.eventCursor);
    await write('i');
    expect(await following.events(1)).toEqual(['i']);
    expect(await (await atStandby.follow(lost.eventCursor)).ended()).toBe('cursor_unavailable');

    // The other standby has what was lost, and cannot know that it was.
    const present = await atPrimary.takeAll();
    expect(await (await atOther.follow(present.eventCursor)).ended()).toBe('service_unavailable');
    expect(await atOther.pageAfter(present.pageCursor)).toBe('503 service-unavailable');
    expect(await atOther.pageAfter(lost.pageCursor)).toMatch(/^200/);
  });

  test('does not start where the primary has made no tables of its resources', async () => {
    const elsewhere = standby.urlOf(DATABASE);
    const file = await writeSampleConfig(folder.path, {
      storeUrl: elsewhere,
      sections: 'keys: { env: KEYS }',
    });
    const environment = {
      STORE_URL: elsewhere,
      KEYS,
      ROSTACK__STORE__ROLE: 'replica',
      ROSTACK__STORE__SCHEMA: 'none',
    };
    const config = await loadConfig(file, { environment });
    await expect(createGateway(config)).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
  });
});
