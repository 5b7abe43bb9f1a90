import type { RecordSource } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import type { Authenticator } from '../../src/auth/index.ts';
import type { GatewayAlarm, GatewayHooks } from '../../src/options/index.ts';
import type { Clock, WebSocketGatewayOptions } from '../../src/websocket/index.ts';
import { SYSTEM_CLOCK } from '../../src/websocket/options/clock.ts';
import { CURSOR_KEYS } from '../support/cursor-keys.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';
import { wrappedSource } from '../support/wrapped-source.ts';

const boom = new Error('boom');

/** What callbacks do once they fail. */
const FAILURES: readonly (readonly [name: string, fail: () => never])[] = [
  [
    'throws',
    () => {
      throw boom;
    },
  ],
  ['rejects', () => Promise.reject(boom) as never],
  ['gives undefined', () => undefined as never],
  ['gives NaN', () => Number.NaN as never],
  ['gives an object', () => ({}) as never],
];

/** Fails while it is armed, and knows whether it has. */
class Trap {
  isArmed = false;
  isSprung = false;
  readonly #fail: () => never;

  constructor(fail: () => never) {
    this.#fail = fail;
  }

  or<T>(value: () => T): T {
    if (!this.isArmed) return value();
    this.isSprung = true;
    return this.#fail();
  }
}

/** When a callback is called for certain. */
type Stage = 'start' | 'visit' | 'drain';

type Bait = (trap: Trap) => {
  readonly gateway?: Partial<WebSocketGatewayOptions>;
  readonly wrapSource?: (source: RecordSource) => RecordSource;
};

/** Wraps one method of every source. */
const source =
  (method: 'head' | 'read' | 'tagAt' | 'watch'): Bait =>
  (trap) => ({
    gateway: { minPollMs: 10, maxPollMs: 20 },
    wrapSource: (inner) =>
      wrappedSource(() => inner, {
        [method]: (...given: readonly unknown[]) => trap.or(() => Reflect.apply(inner[method], inner, given)),
      }),
  });

const hooks =
  (name: keyof GatewayHooks, gateway: (trap: Trap) => Partial<WebSocketGatewayOptions> = () => ({})): Bait =>
  (trap) => ({ gateway: { ...gateway(trap), hooks: { [name]: () => trap.or(() => {}) } } });

/** Every upgrade that comes while the trap is armed raises an alarm. */
const refusingFails = (trap: Trap) => ({
  refuse: () => {
    if (trap.isArmed) throw boom;
    return undefined;
  },
});

const clockMethod =
  (name: keyof Clock): Bait =>
  (trap) => ({
    gateway: {
      clock: {
        ...SYSTEM_CLOCK,
        [name]: (...given: readonly unknown[]) =>
          trap.or(() => Reflect.apply(SYSTEM_CLOCK[name], SYSTEM_CLOCK, given)),
      },
    },
  });

const BAITS: Readonly<Record<string, Bait>> = {
  clientAddress: (trap) => ({ gateway: { clientAddress: () => trap.or(() => '192.0.2.1') } }),
  refuse: (trap) => ({ gateway: { refuse: () => trap.or(() => undefined) } }),
  random: (trap) => ({ gateway: { random: () => trap.or(() => 0.5) } }),
  'rateLimiter.consume': (trap) => ({
    gateway: { rateLimiter: { consume: () => trap.or(() => Promise.resolve(0)) } },
  }),
  'clock.wallMs': clockMethod('wallMs'),
  'clock.monotonicMs': clockMethod('monotonicMs'),
  'clock.after': clockMethod('after'),
  'clock.nextTurn': clockMethod('nextTurn'),
  'hooks.onUpgradeRefused': hooks('onUpgradeRefused'),
  'hooks.onConnected': hooks('onConnected'),
  'hooks.onAuthenticated': hooks('onAuthenticated'),
  'hooks.onAuthenticationFailed': hooks('onAuthenticationFailed'),
  'hooks.onErrorSent': hooks('onErrorSent'),
  'hooks.onClosed': hooks('onClosed'),
  'hooks.onDelivered': hooks('onDelivered'),
  'hooks.onAlarm': hooks('onAlarm', refusingFails),
  'source.head': source('head'),
  'source.read': source('read'),
  'source.tagAt': source('tagAt'),
  'source.watch': source('watch'),
};

/** The stages of those that a visit does not call. */
const STAGES: Readonly<Record<string, Stage>> = { 'source.watch': 'start', random: 'drain' };

/** What a hook gives is looked at by nobody, but for a promise. */
const failuresOf = (callback: string) => (callback.startsWith('hooks.') ? FAILURES.slice(0, 2) : FAILURES);

const CASES = Object.entries(BAITS).flatMap(([callback, bait]) =>
  failuresOf(callback).map(([failure, fail]) => ({
    callback,
    failure,
    bait,
    fail,
    stage: STAGES[callback] ?? 'visit',
  })),
);

/** Comes, is refused, subscribes with a cursor of the bystander's, and goes: most callbacks are called on the way. */
async function visit(harness: GatewayHarness, cursor: string): Promise<void> {
  await GatewayClient.connect(harness.url, { protocols: [] }).catch(() => {});
  await using stranger = await GatewayClient.connect(harness.url);
  stranger.send({ type: 'authenticate', method: 'shared_token', token: 'wrong' });
  await stranger.until(() => stranger.received.length > 0);
  await using visitor = await GatewayClient.connect(harness.url);
  visitor.send({
    type: 'authenticate',
    method: 'shared_token',
    token: harness.token({ subject: 'bystander' }).token,
  });
  await visitor.until(() => visitor.received.length > 0);
  visitor.send({ type: 'subscribe', subscription_id: 's', resource: 'stations', cursor });
  await visitor.until(() => visitor.received.length > 1);
}

describe.each(CASES)('$callback that $failure', ({ bait, fail, stage }) => {
  test('ends nothing but what it was called for', async () => {
    const trap = new Trap(fail);
    /** Does something with the trap armed, until it is sprung. */
    const armed = async (work: () => Promise<void>): Promise<void> => {
      trap.isArmed = true;
      await work();
      await expect.poll(() => trap.isSprung).toBe(true);
      trap.isArmed = false;
    };
    await using harness = await GatewayHarness.start(bait(trap));
    await using bystander = await harness.client({ subject: 'bystander' });
    const subscribe = async () => {
      await bystander.subscribe('s', 'stations');
    };
    await (stage === 'start' ? armed(subscribe) : subscribe());
    await harness.put('stations', { id: 'a' }, { id: 'after' });
    const { cursor } = await bystander.next('event');
    expect(await bystander.next('event')).toMatchObject({ resource_id: 'after' });
    const come = async () => {
      // A fault at the door is for the one who comes.
      await visit(harness, cursor).catch(() => {});
      await harness.put('stations', { id: 'b' });
    };
    await (stage === 'visit' ? armed(come) : come());
    expect(await bystander.next('event')).toMatchObject({ resource_id: 'b' });
    await using late = await harness.client({ subject: 'late' });
    await late.subscribe('s', 'stations');
    await harness.put('stations', { id: 'c' });
    expect(await bystander.next('event')).toMatchObject({ resource_id: 'c' });
    expect(await late.next('event')).toMatchObject({ resource_id: 'c' });
    await armed(() => harness.gateway.drain({ drainTimeoutMs: 0 }));
  });
});

/** The first alarm of a kind, waited for. */
async function alarm(harness: GatewayHarness, kind: GatewayAlarm['kind']): Promise<GatewayAlarm> {
  return expect
    .poll(() => harness.alarms.find((each) => each.kind === kind))
    .toBeDefined()
    .then(() => harness.alarms.find((each) => each.kind === kind) as GatewayAlarm);
}

const throwing = (): never => {
  throw boom;
};

describe('an operator is told', () => {
  test.each<readonly [string, Partial<WebSocketGatewayOptions>]>([
    ['clientAddress', { clientAddress: throwing }],
    ['clientAddress, of rubbish', { clientAddress: () => 7 as never }],
    ['refuse', { refuse: throwing }],
    ['refuse, of rubbish', { refuse: () => 'no' as never }],
  ])('of an upgrade that is answered with 500: %s', async (_name, gateway) => {
    await using harness = await GatewayHarness.start({ gateway });
    await expect(GatewayClient.connect(harness.url)).rejects.toThrow('HTTP 500');
    expect(await alarm(harness, 'upgrade_failed')).toMatchObject({ error: expect.any(Error) });
  });

  test('of a hook that throws', async () => {
    await using harness = await GatewayHarness.start({ gateway: { hooks: { onConnected: throwing } } });
    await using client = await harness.client();
    expect(client.socket.readyState).toBe(1);
    expect(await alarm(harness, 'callback_failed')).toEqual({
      kind: 'callback_failed',
      callback: 'hooks.onConnected',
      error: boom,
    });
  });

  test.each<readonly [string, Authenticator['authenticate']]>([
    ['throws', throwing],
    ['rejects', () => Promise.reject(boom)],
    ['gives undefined', () => undefined as never],
    ['gives another kind', () => ({ kind: 'welcome' }) as never],
    ['accepts nobody', () => ({ kind: 'authenticated', credential: {} }) as never],
    [
      'accepts with a list of permissions',
      () =>
        ({
          kind: 'authenticated',
          credential: { principal: { id: 'p', method: 'shared_token', permissions: ['a'] } },
        }) as never,
    ],
    ['gives no time to wait', () => ({ kind: 'unavailable', retryAfterMs: Number.NaN }) as never],
  ])('of an authenticator that %s, and the client to come again', async (_name, authenticate) => {
    const authenticator: Authenticator = { method: 'shared_token', authenticate, recheck: throwing };
    await using harness = await GatewayHarness.start({ gateway: { authenticators: [authenticator] } });
    await using client = await GatewayClient.connect(harness.url);
    client.send({ type: 'authenticate', method: 'shared_token', token: 't' });
    expect(await client.next('error')).toMatchObject({ code: 'service_unavailable' });
    expect(await alarm(harness, 'authenticator_fault')).toMatchObject({ method: 'shared_token' });
  });

  test.each([
    ['head', 'error'],
    ['read', 'subscribed'],
    ['watch', 'subscribed'],
  ] as const)('of a source whose %s fails, which is asked again', async (method, answer) => {
    const trap = new Trap(throwing);
    await using harness = await GatewayHarness.start(source(method)(trap));
    await using client = await harness.client();
    trap.isArmed = true;
    client.send({ type: 'subscribe', subscription_id: 's', resource: 'stations' });
    expect(await client.take()).toMatchObject({ type: answer });
    expect(await alarm(harness, 'source_fault')).toMatchObject({ error: boom });
    trap.isArmed = false;
    await client.subscribe('t', 'stations');
    await harness.put('stations', { id: 'a' });
    expect(await client.next('event')).toMatchObject({ resource_id: 'a' });
  });

  test('of a source whose tagAt fails, which is asked again', async () => {
    const trap = new Trap(throwing);
    await using harness = await GatewayHarness.start(source('tagAt')(trap));
    await using client = await harness.client();
    await client.subscribe('s', 'stations');
    await harness.put('stations', { id: 'a' });
    const { cursor } = await client.next('event');
    await harness.put('stations', { id: 'b' });
    await client.next('event');
    trap.isArmed = true;
    client.send({ type: 'subscribe', subscription_id: 't', resource: 'stations', cursor });
    expect(await client.next('error')).toMatchObject({ code: 'service_unavailable' });
    expect(await alarm(harness, 'source_fault')).toMatchObject({ error: boom });
    trap.isArmed = false;
    await client.subscribe('t', 'stations', { cursor });
    expect(await client.next('event')).toMatchObject({ resource_id: 'b', subscription_id: 't' });
  });

  test('of a subscriber whose fresh cursors are of another key', async () => {
    let nowMs = 0;
    const gateway = { clock: { ...SYSTEM_CLOCK, monotonicMs: () => nowMs } };
    await using harness = await GatewayHarness.start({ gateway });
    await using other = await GatewayHarness.start({
      gateway: { cursorKeys: { ...CURSOR_KEYS, events: new Uint8Array(32).fill(8) } },
    });
    await using theirs = await other.client({ subject: 'p' });
    await theirs.subscribe('s', 'stations');
    await other.put('stations', { id: 'a' });
    const { cursor } = await theirs.next('event');
    await using client = await harness.client({ subject: 'p' });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(harness.alarms).toEqual([]);
      nowMs += 1_000;
      for (const id of ['s', 't', 'u']) {
        client.send({ type: 'subscribe', subscription_id: id, resource: 'stations', cursor });
        expect(await client.next('error')).toMatchObject({ code: 'cursor_scope_mismatch' });
      }
    }
    expect(harness.alarms).toEqual([{ kind: 'cursor_keys_differ' }]);
  });

  test('not of cursors of another principal that come once, or of keys that fit in between', async () => {
    let nowMs = 0;
    const gateway = { clock: { ...SYSTEM_CLOCK, monotonicMs: () => nowMs } };
    await using harness = await GatewayHarness.start({ gateway });
    await using first = await harness.client({ subject: 'first' });
    await first.subscribe('s', 'stations');
    await using second = await harness.client({ subject: 'second' });
    await second.subscribe('s', 'stations');
    await harness.put('stations', { id: 'a' });
    const foreign = (await first.next('event')).cursor;
    const own = (await second.next('event')).cursor;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      nowMs += 1_000;
      second.send({
        type: 'subscribe',
        subscription_id: `f${attempt}`,
        resource: 'stations',
        cursor: foreign,
      });
      await second.next('error');
      await second.subscribe(`o${attempt}`, 'stations', { cursor: own });
      await second.next('replay_complete');
    }
    expect(harness.alarms).toEqual([]);
  });
});
