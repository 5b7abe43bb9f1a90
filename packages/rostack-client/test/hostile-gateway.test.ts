import {
  type ClientOptions,
  type ConnectionStatus,
  connect,
  MemoryStateStore,
  type RostackClient,
} from 'rostack-client';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { type Conversation, HostileServer, json } from './support/hostile-server.ts';
import { station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;

interface Watched extends AsyncDisposable {
  readonly client: RostackClient;
  readonly statuses: readonly ConnectionStatus[];
  /** Waits for the first status of a kind. */
  readonly until: <K extends ConnectionStatus['kind']>(
    kind: K,
  ) => Promise<Extract<ConnectionStatus, { readonly kind: K }>>;
}

async function watched(server: HostileServer, options: ClientOptions = {}): Promise<Watched> {
  const statuses: ConnectionStatus[] = [];
  let wake = (): void => {};
  const client = await connect(server.url, CREDENTIAL, {
    ...options,
    onStatus: (status) => {
      statuses.push(status);
      wake();
    },
  });
  return {
    client,
    statuses,
    until: async (kind) => {
      for (;;) {
        const found = statuses.find((status) => status.kind === kind);
        if (found !== undefined) return found as never;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

describe('a gateway that breaks the protocol is left', () => {
  test.for<[string, (conversation: Conversation) => void, string]>([
    ['with an event before authentication', (to) => to.event('s1', 1), '"event" before authentication'],
    ['with binary frames', ({ socket }) => socket.send(Buffer.from([1, 2, 3])), 'not text'],
    ['with frames beyond the limit', (to) => to.send(`"${'x'.repeat(70_000)}"`), 'longer than 65536'],
    ['with something that is not JSON', (to) => to.send('hello'), 'not JSON'],
    ['with another method', (to) => to.authenticates({ method: 'oauth2' }), 'another method'],
    ['with unknown members', (to) => to.authenticates({ admin: true }), 'admin'],
    [
      'with a subscription that nobody asked for',
      (to) =>
        to.authenticates().on('subscribe', () =>
          to.send({
            type: 'subscribed',
            subscription_id: 'other',
            event_encoding: 'json',
            replaying: false,
          }),
        ),
      'not asked for',
    ],
    [
      'with events of no subscription',
      (to) => to.authenticates().subscribes(() => to.event('other', 1)),
      'no subscription',
    ],
    [
      'with events in another encoding',
      (to) =>
        to.authenticates().subscribes((subscriptionId) =>
          to.send({
            type: 'event',
            subscription_id: subscriptionId,
            event_id: 'e1',
            cursor: 'c1',
            occurred_at: '2026-08-14T00:00:00Z',
            event_type: 'station.created',
            resource_id: 'a',
            resource_version: '1',
          }),
        ),
      'another encoding',
    ],
  ])('%s', async ([, talk, message]) => {
    await using server = await HostileServer.start({ talk });
    await using watching = await watched(server, { limits: { maxFrameLength: 65_536 } });
    await using _ = watching.client.follow('stations');
    void _.next().then(() => _.next());
    const { error } = await watching.until('waiting');
    expect(error).toMatchObject({
      code: 'protocol_violation',
      retryable: true,
      message: expect.stringContaining(message),
    });
    await expect.poll(() => server.conversations[0]?.socket.readyState).toBe(3);
  });

  test('when it does not speak the subprotocol, and before it is told the credential', async () => {
    await using server = await HostileServer.start({ subprotocol: false });
    await using watching = await watched(server);
    await using _ = watching.client.subscribe('stations');
    await watching.until('waiting');
    expect(server.conversations.flatMap(({ received }) => received)).toEqual([]);
  });

  test('when it never answers', async () => {
    await using server = await HostileServer.start();
    await using watching = await watched(server, { limits: { answerTimeoutMs: 300 } });
    await using _ = watching.client.subscribe('stations');
    const { error } = await watching.until('waiting');
    expect(error).toMatchObject({ message: 'no answer within 300 ms' });
  });

  test('when it pings without reading', { timeout: 30_000 }, async () => {
    await using server = await HostileServer.start({
      talk: (to) => {
        to.authenticates().on('subscribe', () => {
          to.socket.pause();
          const id = 'x'.repeat(30_000);
          const timer = setInterval(() => {
            for (let count = 0; count < 20; count += 1) to.send({ type: 'ping', id });
          }, 5);
          to.socket.on('close', () => clearInterval(timer));
        });
      },
    });
    await using watching = await watched(server);
    await using _ = watching.client.subscribe('stations');
    const { error } = await watching.until('waiting');
    expect(error).toMatchObject({ message: expect.stringContaining('does not read') });
  });

  test('when it is on another host; no connection is made', async () => {
    await using server = await HostileServer.start({
      discovery: (honest) => ({
        ...honest,
        endpoints: { ...honest.endpoints, websocket: 'wss://gateway.evil.example/' },
      }),
    });
    await using watching = await watched(server);
    await using subscription = watching.client.subscribe('stations');
    await expect(subscription.next()).rejects.toMatchObject({ code: 'untrusted_url', retryable: false });
  });
});

describe('a gateway cannot make a client run in circles', () => {
  // With this luck the first three waits are 150, 250 and 450 ms.
  const random = (): number => 0.5;
  const THREE_WAITS_MS = 850;

  async function timeUntil(holds: () => boolean): Promise<number> {
    const startMs = performance.now();
    await expect.poll(holds, { interval: 10, timeout: 20_000 }).toBe(true);
    return performance.now() - startMs;
  }

  test.for<[string, (conversation: Conversation) => void]>([
    ['by closing at once', ({ socket }) => socket.close()],
    [
      'by closing after it took the credential',
      (to) => to.authenticates().on('subscribe', () => to.socket.close(4500)),
    ],
    [
      'by sending it away',
      (to) =>
        to
          .authenticates()
          .subscribes(() =>
            to.send({ type: 'go_away', reason: 'no', reconnect_after_ms: 0, drain_timeout_ms: 60_000 }),
          ),
    ],
    ['by another API version', (to) => to.authenticates({ api_version: '2' })],
  ])('%s', async ([, talk]) => {
    await using server = await HostileServer.start({ talk });
    await using watching = await watched(server, { random });
    await using follow = watching.client.follow('stations');
    void follow.run(() => {}).catch(() => {});
    await expect.poll(() => server.conversations.length).toBeGreaterThan(0);
    expect(await timeUntil(() => server.conversations.length > 3)).toBeGreaterThan(THREE_WAITS_MS - 150);
  });

  test('by taking the cursor away again and again', async () => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().subscribes((subscriptionId) =>
          to.send({
            type: 'error',
            code: 'cursor_unavailable',
            message: 'pruned',
            retryable: false,
            subscription_id: subscriptionId,
          }),
        ),
    });
    await using watching = await watched(server, { random });
    await using follow = watching.client.follow('stations');
    void follow.run(() => {}).catch(() => {});
    // The first of the new snapshots comes at once, then three waits.
    const snapshots = (): number => server.requests.filter(({ path }) => path === '/api/stations').length;
    expect(await timeUntil(() => snapshots() > 4)).toBeGreaterThan(THREE_WAITS_MS);
    expect(server.conversations).toHaveLength(1);
  });

  test('by a credential that always expires now', async () => {
    await using server = await HostileServer.start({
      talk: (to) => to.authenticates({ reauthenticate_at: '2026-01-01T00:00:00Z' }).subscribes(),
    });
    let asked = 0;
    await using client = await connect(server.url, () => {
      asked += 1;
      return CREDENTIAL;
    });
    await using _ = client.subscribe('stations');
    expect(await timeUntil(() => asked > 2)).toBeGreaterThan(900);
  });

  test('by asking for a wait without an end', async () => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().on('subscribe', ({ subscription_id }) =>
          to.send({
            type: 'error',
            code: 'rate_limited',
            message: 'wait',
            retryable: true,
            retry_after_ms: 1e12,
            subscription_id,
          }),
        ),
    });
    await using watching = await watched(server, { limits: { maxServerDelayMs: 100 } });
    await using _ = watching.client.subscribe('stations');
    await expect
      .poll(() => server.conversations[0]?.received.filter(({ type }) => type === 'subscribe').length, {
        timeout: 5_000,
      })
      .toBeGreaterThan(3);
  });
});

describe('a gateway that breaks the protocol again and again is given up', () => {
  const random = (): number => 0;
  const jsonEvent = (subscriptionId: string): object => ({
    type: 'event',
    subscription_id: subscriptionId,
    event_id: 'e1',
    cursor: 'c1',
    occurred_at: '2026-08-14T00:00:00Z',
    event_type: 'station.created',
    resource_id: 'a',
    resource_version: '1',
  });

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
      (to) => to.authenticates().subscribes((id) => to.send(jsonEvent(id))),
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
    await using client = await connect(server.url, CREDENTIAL, { random });
    await using follow = client.follow('stations');
    const failure = await follow.run(() => {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'protocol_broken',
      retryable: false,
      message: expect.stringMatching(/5 connections in a row/),
      cause: { code: 'protocol_violation', message: expect.stringContaining(message) },
    });
    expect(String(failure)).toContain(message);
    expect(server.conversations).toHaveLength(5);
    // Nothing goes on behind the caller's back.
    await new Promise((resolve) => setTimeout(resolve, 500));
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

  test('but not for slips: each is survived, and a healthy time makes good for those before', {
    timeout: 30_000,
  }, async () => {
    const healthy = 5;
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
          .on('ping', ({ id }) => to.send({ type: 'pong', id }))
          .subscribes((id) => {
            if (to.number > 8) to.event(id, 1);
            else if (to.number === healthy) setTimeout(() => to.send('slip'), 1_300);
            else to.send('slip');
          });
      },
    });
    await using client = await connect(server.url, CREDENTIAL, { random });
    await using follow = client.follow('stations');
    expect(idsOf(await takeUntil(follow, (change) => 'id' in change))).toEqual(['r1']);
    expect(server.conversations).toHaveLength(9);
  });

  test('not for being slow or silent, which may pass', { timeout: 20_000 }, async () => {
    await using server = await HostileServer.start({
      talk: (to) => void (to.number > 6 && to.authenticates().subscribes()),
    });
    await using client = await connect(server.url, CREDENTIAL, { random, limits: { answerTimeoutMs: 100 } });
    await using follow = client.follow('stations');
    await takeUntil(follow, isLive);
    expect(server.conversations).toHaveLength(7);
  });
});

describe('a gateway that refuses the cursor of every new snapshot is given up', () => {
  const random = (): number => 0;
  const refusal = (code: string, subscriptionId: string): object => ({
    type: 'error',
    code,
    message: 'no',
    retryable: false,
    subscription_id: subscriptionId,
  });

  test.for(['cursor_unavailable', 'cursor_scope_mismatch'])('with %s', async (code) => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().on('subscribe', ({ subscription_id: id }) => to.send(refusal(code, String(id)))),
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
    await using gateway = await TestGateway.start({ gateway: { cursorKey: new Uint8Array(32).fill(9) } });
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
            to.send(refusal('cursor_unavailable', String(id)));
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
          if (snapshots < 8) to.send(refusal('cursor_unavailable', id));
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
        const lost = { type: 'error', code: 'cursor_unavailable', message: 'no', retryable: false };
        if (snapshots < 8) to.send({ ...lost, subscription_id: id });
        else to.event(id, 1);
      }),
  });
  await using client = await connect(server.url, CREDENTIAL, { random: () => 0 });
  await using follow = client.follow('stations');
  const changes = await takeUntil(follow, (change) => 'id' in change);
  expect(changes.filter(({ kind }) => kind === 'snapshot')).toHaveLength(8);
});

describe('a gateway that drains', () => {
  test('is relieved of a busy subscription while the next one is awaited, and gets it back when that one fails', async () => {
    await using server = await HostileServer.start({
      talk: (to) => {
        if (to.number > 1) {
          to.authenticates();
          return;
        }
        to.authenticates().subscribes((subscriptionId) => {
          to.send({ type: 'go_away', reason: 'drain', reconnect_after_ms: 0, drain_timeout_ms: 60_000 });
          const timer = setInterval(() => {
            if (server.conversations[1]?.received.at(-1)?.type !== 'subscribe') return;
            clearInterval(timer);
            for (let number = 1; number <= 600; number += 1) to.event(subscriptionId, number);
          }, 5);
        });
      },
    });
    await using client = await connect(server.url, CREDENTIAL, { limits: { maxQueuedEvents: 10_000 } });
    await using follow = client.follow('stations');
    await takeUntil(follow, isLive);
    await takeUntil(follow, (change) => 'event' in change && change.event.eventId === 'e513');
    const [first, second] = server.conversations;
    await expect.poll(() => first?.received.at(-1)?.type).toBe('unsubscribe');
    second?.socket.close();
    await expect.poll(() => first?.received.at(-1)).toMatchObject({ type: 'subscribe', cursor: 'c513' });
  });
});

describe('what a gateway repeats', () => {
  test('is taken once', async () => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().subscribes((subscriptionId) => {
          for (const number of [1, 2, 1, 2, 3, 3, 1, 4]) to.event(subscriptionId, number);
        }),
    });
    await using client = await connect(server.url, CREDENTIAL);
    await using follow = client.follow('stations');
    await takeUntil(follow, isLive);
    const changes = await take(follow, 4);
    expect(changes.map((change) => ('event' in change ? change.event.eventId : ''))).toEqual([
      'e1',
      'e2',
      'e3',
      'e4',
    ]);
  });

  test('is taken once also when the first time was in another process', async () => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().subscribes((subscriptionId) => {
          for (const number of [1, 2]) to.event(subscriptionId, number);
        }),
    });
    const store = new MemoryStateStore();
    await using client = await connect(server.url, CREDENTIAL);
    const before = client.follow('stations', { store });
    await takeUntil(before, (change) => 'event' in change && change.event.eventId === 'e2');
    await before.return();
    await using again = await connect(server.url, CREDENTIAL);
    await using after = again.follow('stations', { store });
    const ids = idsOf(await takeUntil(after, (change) => 'id' in change));
    expect(ids).toEqual(['r2']);
  });

  test('floods nobody: beyond the queue events are left to the log', async () => {
    const block = 'x'.repeat(50_000);
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().subscribes((subscriptionId) => {
          for (let number = 1; number <= 2_000; number += 1) {
            to.event(subscriptionId, number, { id: `r${number}`, block });
          }
        }),
    });
    await using client = await connect(server.url, CREDENTIAL, {
      limits: { maxQueuedLength: 1_000_000 },
    });
    await using _ = client.subscribe('stations');
    await expect
      .poll(() => server.conversations[0]?.received.at(-1)?.type, { timeout: 10_000 })
      .toBe('unsubscribe');
  });

  test('brings a record under another id: refused, with a hint', async () => {
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().subscribes((subscriptionId) => to.event(subscriptionId, 1, { id: 'another' })),
      answer: (_request, response) =>
        json(response, 200, { items: [], page: { next_cursor: null, has_more: false, event_cursor: 'c0' } }),
    });
    await using client = await connect(server.url, CREDENTIAL);
    await using follow = client.follow('stations');
    await takeUntil(follow, isLive);
    await expect(follow.next()).rejects.toMatchObject({
      code: 'invalid_record',
      message: expect.stringContaining('recordId'),
    });
  });
});
