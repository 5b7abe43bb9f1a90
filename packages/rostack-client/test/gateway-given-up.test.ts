import { connect } from 'rostack-client';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { type Conversation, HostileServer } from './support/hostile-server.ts';
import { JumpingClock } from './support/jumping-clock.ts';
import { station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';
import { watchedClient } from './support/watched-client.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;

describe('a gateway that breaks the protocol again and again is given up', () => {
  const random = (): number => 0;
  test.for<[string, (conversation: Conversation) => void, string]>([
    [
      'with another encoding than was asked for',
      (to) =>
        to
          .authenticates()
          .on('subscribe', ({ subscription_id }) =>
            to.send({ type: 'subscribed', subscription_id, event_encoding: 'json', replaying: true }),
          ),
      'another encoding',
    ],
    [
      'with events in another encoding',
      (to) => to.authenticates().subscribes((id) => to.jsonEvent(id)),
      'another encoding',
    ],
    [
      'with a message that is unknown',
      (to) => to.authenticates().subscribes(() => to.send({ type: 'hello', subscription_id: 's1' })),
      'type',
    ],
    [
      'with messages that are invalid',
      (to) => to.authenticates().subscribes(() => to.send('{"type":')),
      'JSON',
    ],
    [
      'with an answer to another subscription',
      (to) =>
        to
          .authenticates()
          .on('subscribe', () =>
            to.send({ type: 'subscribed', subscription_id: 'x', event_encoding: 'json', replaying: true }),
          ),
      'not asked for',
    ],
    ['with binary frames', ({ socket }) => socket.send(Buffer.from([1])), 'not text'],
  ])('%s', async ([, talk, message]) => {
    await using server = await HostileServer.start({ talk });
    const clock = new JumpingClock();
    await using watching = await watchedClient(server.url, CREDENTIAL, { random, clock });
    await using follow = watching.client.follow('stations');
    const failure = await follow.run(() => {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'protocol_broken',
      retryable: false,
      message: expect.stringMatching(/5 connections in a row/),
      cause: { code: 'protocol_violation', message: expect.stringContaining(message) },
    });
    expect(String(failure)).toContain(message);
    expect(server.conversations).toHaveLength(5);
    // Nothing goes on behind the caller's back, not even an hour later.
    clock.jump(3_600_000);
    await watching.client.get('stations', 'a').catch(() => {});
    expect(watching.statuses.filter(({ kind }) => kind === 'connecting')).toHaveLength(5);
    expect(watching.statuses.at(-1)).toEqual({ link: 1, kind: 'idle' });
    expect(server.conversations).toHaveLength(5);
  });

  test('for the one subscription that it concerns; the others go on', async () => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().on('subscribe', ({ subscription_id, event_encoding, resource }) => {
          const encoding = resource === 'memos' ? 'json' : event_encoding;
          to.send({ type: 'subscribed', subscription_id, event_encoding: encoding, replaying: true });
          to.send({ type: 'replay_complete', subscription_id });
        }),
    });
    await using client = await connect(server.url, CREDENTIAL, { random });
    await using stations = client.follow('stations');
    await take(stations, 1);
    await using memos = client.follow('memos');
    const next = takeUntil(stations, isLive);
    await expect(memos.run(() => {})).rejects.toMatchObject({ code: 'protocol_broken' });
    await next;
    await expect.poll(() => server.conversations.length).toBe(6);
  });

  test('but not for slips: each is survived, and a healthy time makes good for those before', async () => {
    const healthy = 5;
    const clock = new JumpingClock();
    await using server = await HostileServer.start({
      discovery: (honest) => ({
        ...honest,
        capabilities: {
          ...honest.capabilities,
          websocket: {
            ...honest.capabilities.websocket,
            heartbeat_interval_ms: 1_000,
            heartbeat_timeout_ms: 1_000,
          },
        },
      }),
      talk: (to) => {
        to.authenticates()
          .on('ping', ({ id }) => {
            to.send({ type: 'pong', id });
            to.send('slip');
          })
          .subscribes((id) => {
            if (to.number > 8) to.event(id, 1);
            else if (to.number === healthy) clock.jump(1_000);
            else to.send('slip');
          });
      },
    });
    await using client = await connect(server.url, CREDENTIAL, { random, clock });
    await using follow = client.follow('stations');
    expect(idsOf(await takeUntil(follow, (change) => 'id' in change))).toEqual(['r1']);
    expect(server.conversations).toHaveLength(9);
  });

  test('not for being slow or silent, which may pass', async () => {
    const answerTimeoutMs = 60_000;
    const clock = new JumpingClock();
    await using server = await HostileServer.start({
      talk: (to) => {
        if (to.number > 6) to.authenticates().subscribes();
        else to.on('authenticate', () => clock.jump(answerTimeoutMs));
      },
    });
    await using client = await connect(server.url, CREDENTIAL, {
      random,
      clock,
      limits: { answerTimeoutMs },
    });
    await using follow = client.follow('stations');
    await takeUntil(follow, isLive);
    expect(server.conversations.length).toBeGreaterThanOrEqual(7);
  });
});

describe('a gateway that refuses the cursor of every new snapshot is given up', () => {
  const random = (): number => 0;
  test.for(['cursor_unavailable', 'cursor_scope_mismatch'])('with %s', async (code) => {
    await using server = await HostileServer.start({
      talk: (to) => to.authenticates().on('subscribe', ({ subscription_id: id }) => to.refuse(id, code)),
    });
    await using client = await connect(server.url, CREDENTIAL, { random, limits: { maxLagMs: 1 } });
    const reasons: string[] = [];
    const failure = await client
      .follow('stations')
      .run((change) => void (change.kind === 'snapshot' && reasons.push(change.reason)))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'snapshot_refused',
      retryable: false,
      message: expect.stringContaining('5 new snapshots in a row'),
      cause: { code },
    });
    expect(reasons).toEqual(['initial', ...Array.from({ length: 4 }, () => 'replaced')]);
  });

  test('also when it is a real one, whose HTTP and WebSocket sides have different keys', async () => {
    await using gateway = await TestGateway.start({
      gateway: {
        cursorKeys: {
          pages: { current: { id: 1, bytes: new Uint8Array(32) } },
          events: new Uint8Array(32).fill(9),
        },
      },
    });
    await gateway.put('stations', station(1));
    const { token } = gateway.token();
    await using client = await connect(gateway.url, { method: 'shared_token', token }, { random });
    await expect(client.follow('stations').run(() => {})).rejects.toMatchObject({
      code: 'snapshot_refused',
      message: expect.stringContaining('different cursor keys'),
    });
  });

  test('but not one that lags behind and gets there', async () => {
    let refusals = 0;
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().on('subscribe', ({ subscription_id: id }) => {
          refusals += 1;
          if (refusals <= 8) {
            to.refuse(id, 'cursor_unavailable');
            return;
          }
          to.send({
            type: 'subscribed',
            subscription_id: id,
            event_encoding: 'compact-json',
            replaying: true,
          });
          to.send({ type: 'replay_complete', subscription_id: id });
        }),
    });
    await using client = await connect(server.url, CREDENTIAL, { random });
    await using follow = client.follow('stations');
    const changes = await takeUntil(follow, ({ kind }) => kind === 'live');
    expect(changes.filter(({ kind }) => kind === 'snapshot')).toHaveLength(9);
  });

  test('but not one that lets the follow go on in between', async () => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().subscribes((id) => {
          const snapshots = server.requests.filter(({ path }) => path === '/api/stations').length;
          to.event(id, snapshots);
          if (snapshots < 8) to.refuse(id, 'cursor_unavailable');
        }),
    });
    await using client = await connect(server.url, CREDENTIAL, { random });
    await using follow = client.follow('stations');
    const changes = await takeUntil(follow, (change) => 'id' in change && change.id === 'r8');
    expect(changes.filter(({ kind }) => kind === 'snapshot')).toHaveLength(8);
  });
});

test('a gateway that takes the cursor of each new snapshot, and soon has no use for it, is not given up', async () => {
  await using server = await HostileServer.start({
    talk: (to) =>
      to.authenticates().subscribes((id) => {
        const snapshots = server.requests.filter(({ path }) => path === '/api/stations').length;
        if (snapshots < 8) to.refuse(id, 'cursor_unavailable');
        else to.event(id, 1);
      }),
  });
  await using client = await connect(server.url, CREDENTIAL, { random: () => 0 });
  await using follow = client.follow('stations');
  const changes = await takeUntil(follow, (change) => 'id' in change);
  expect(changes.filter(({ kind }) => kind === 'snapshot')).toHaveLength(8);
});
