import { type ClientOptions, connect, MemoryStateStore, type RostackClient } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { describe, expect, test } from 'vitest';
import { HostileServer } from './support/hostile-server.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;
const nothing = (): void => {};

/**
 * An option that cannot be used, and how the message names it. Of numbers: the one below the least, and one that is not
 * whole; what else is none is shown of the check itself.
 */
type Wrong = readonly [options: unknown, named: string];

const WRONG_CLIENT_OPTIONS: readonly Wrong[] = [
  [null, 'options'],
  ['fast', 'options'],
  [{ onstatus: nothing }, '"onstatus"'],
  [{ trustedOrigins: 'https://a.example' }, 'options.trustedOrigins'],
  [{ trustedOrigins: [new URL('https://a.example')] }, 'options.trustedOrigins[0]'],
  [{ trustedOrigins: ['http://a.example'] }, 'trustedOrigins'],
  [{ allowInsecureLoopback: 'yes' }, 'options.allowInsecureLoopback'],
  [{ limits: 5 }, 'options.limits'],
  [{ limits: { maxAttemps: 3 } }, '"maxAttemps"'],
  ...[
    'maxResponseBytes',
    'maxDiscoveryBytes',
    'maxFrameLength',
    'maxSnapshotRecords',
    'maxServerDelayMs',
    'requestTimeoutMs',
    'answerTimeoutMs',
    'maxAttempts',
    'maxQueuedEvents',
    'maxQueuedLength',
    'maxSubscriptionsPerConnection',
    'maxViolations',
    'maxRefusalMs',
    'maxRefusedSnapshots',
    'maxLagMs',
  ].flatMap((name) =>
    [0, 1.5].map((value): Wrong => [{ limits: { [name]: value } }, `options.limits.${name}`]),
  ),
  ...[-1, 0.5].map((bookmarkAfterMs): Wrong => [{ bookmarkAfterMs }, 'options.bookmarkAfterMs']),
  [{ onStatus: 'log' }, 'options.onStatus'],
  [{ onDiscoveryChanged: {} }, 'options.onDiscoveryChanged'],
  [{ fetch: 'fetch' }, 'options.fetch'],
  [{ WebSocket: {} }, 'options.WebSocket'],
  [{ clock: Date }, 'options.clock'],
  [{ random: 0.5 }, 'options.random'],
  [{ signal: new AbortController() }, 'options.signal'],
];

const COMMON: readonly Wrong[] = [
  [null, 'options'],
  [{ fitler: {} }, '"fitler"'],
  [{ schema: () => true }, 'options.schema'],
  [{ signal: 'now' }, 'options.signal'],
];
const FILTERED: readonly Wrong[] = [
  ...COMMON,
  [{ filter: '{}' }, 'options.filter'],
  [{ filter: [] }, 'options.filter'],
];
const WRONG_LISTS: readonly Wrong[] = [
  ...FILTERED,
  [{ sort: '-/name' }, 'options.sort'],
  [{ sort: [''] }, 'options.sort[0]'],
  [{ fields: [1] }, 'options.fields[0]'],
  [{ pageSize: 0 }, 'options.pageSize'],
  [{ pageSize: Number.NaN }, 'options.pageSize'],
  [{ pageSize: '50' }, 'options.pageSize'],
];
const WRONG_GETS: readonly Wrong[] = [
  ...COMMON,
  [{ etag: '' }, 'options.etag'],
  [{ etag: 1 }, 'options.etag'],
];
const WRONG_SUBSCRIBES: readonly Wrong[] = [
  ...FILTERED,
  [{ eventTypes: 'station.created' }, 'options.eventTypes'],
  [{ eventTypes: [''] }, 'options.eventTypes[0]'],
  [{ cursor: '' }, 'options.cursor'],
  [{ cursor: null }, 'options.cursor'],
  [{ encoding: 'cbor' }, 'options.encoding'],
];
const WRONG_FOLLOWS: readonly Wrong[] = [
  ...FILTERED,
  [{ store: new Map() }, 'options.store'],
  [{ store: 'states.db' }, 'options.store'],
  [{ key: '' }, 'options.key'],
  [{ key: 7 }, 'options.key'],
  [{ recordId: 'id' }, 'options.recordId'],
  [{ onWaiting: true }, 'options.onWaiting'],
];

const refusal = (named: string) =>
  expect.objectContaining({
    code: 'invalid_options',
    retryable: false,
    message: expect.stringContaining(named),
  });

describe('an option that cannot be used is refused when it is given, by its name', () => {
  test.for(WRONG_CLIENT_OPTIONS)('of connect: %#', async ([options, named]) => {
    await expect(connect('https://localhost:9', CREDENTIAL, options as ClientOptions)).rejects.toEqual(
      refusal(named),
    );
  });

  test.for<[unknown, unknown, string]>([
    ['', CREDENTIAL, 'url'],
    [undefined, CREDENTIAL, 'url'],
    [{ href: 'https://localhost:9' }, CREDENTIAL, 'url'],
    ['ftp://localhost', CREDENTIAL, 'https'],
    ['https://localhost:9', undefined, 'credential'],
    ['https://localhost:9', 'secret-token', 'credential'],
    ['https://localhost:9', { method: 'basic', token: 'secret-token' }, 'method'],
    ['https://localhost:9', { method: 'oauth2', token: '' }, 'token'],
    ['https://localhost:9', { method: 'oauth2', token: 'secret token' }, 'token'],
  ])('an argument of connect: %#', async ([url, credentials, named]) => {
    const failure = await connect(url as string, credentials as typeof CREDENTIAL).catch(
      (error: unknown) => error,
    );
    expect(failure).toEqual(refusal(named));
    expect(String(failure)).not.toContain('secret');
  });

  async function withClient(use: (client: RostackClient) => void | Promise<void>): Promise<void> {
    await using server = await HostileServer.start();
    await using client = await connect(server.url, CREDENTIAL);
    await use(client);
    expect(server.requests).toHaveLength(1);
  }

  test('of list', () =>
    withClient((client) => {
      for (const [options, named] of WRONG_LISTS) {
        expect(() => client.list('stations', options as object)).toThrow(refusal(named));
      }
      expect(() => client.list('')).toThrow(refusal('resource'));
    }));

  test('of get', () =>
    withClient(async (client) => {
      for (const [options, named] of WRONG_GETS) {
        await expect(client.get('stations', 'a', options as object)).rejects.toEqual(refusal(named));
      }
      await expect(client.get('stations', 5.5)).rejects.toEqual(refusal('id'));
    }));

  test('of subscribe', () =>
    withClient((client) => {
      for (const [options, named] of WRONG_SUBSCRIBES) {
        expect(() => client.subscribe('stations', options as object)).toThrow(refusal(named));
      }
      expect(() => client.subscribe(undefined as unknown as string)).toThrow(refusal('resource'));
    }));

  test('of follow', () =>
    withClient(async (client) => {
      for (const [options, named] of WRONG_FOLLOWS) {
        expect(() => client.follow('stations', options as object)).toThrow(refusal(named));
      }
      const follow = client.follow('stations', { store: new MemoryStateStore() });
      await expect(follow.run('print' as unknown as () => void)).rejects.toEqual(refusal('onChange'));
    }));

  test('of a state store on disk', () => {
    expect(() => new SqliteStateStore('')).toThrow(refusal('path'));
    expect(() => new SqliteStateStore(undefined as unknown as string)).toThrow(refusal('path'));
  });
});
