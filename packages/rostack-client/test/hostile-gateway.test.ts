import { connect, MemoryStateStore } from 'rostack-client';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { type Conversation, HostileServer, json } from './support/hostile-server.ts';
import { watchedClient } from './support/watched-client.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;

describe('a gateway that breaks the protocol is left', () => {
  test.for<[string, (conversation: Conversation) => void, string]>([
    ['with an event before authentication', (to) => to.event('s1', 1), '"event" before authentication'],
    ['with binary frames', ({ socket }) => socket.send(Buffer.from([1, 2, 3])), 'not text'],
    ['with frames beyond the limit', (to) => to.send(`"${'x'.repeat(70_000)}"`), 'longer than 65536'],
    ['with something that is not JSON', (to) => to.send('hello'), 'not JSON'],
    [
      'with a number that has too many digits',
      (to) => to.send('{"type":"ping","id":"a","n":12345678901234567890}'),
      'has more digits than a JSON number keeps',
    ],
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
      (to) => to.authenticates().subscribes((id) => to.jsonEvent(id)),
      'another encoding',
    ],
  ])('%s', async ([, talk, message]) => {
    await using server = await HostileServer.start({ talk });
    await using watching = await watchedClient(server.url, CREDENTIAL, {
      limits: { maxFrameLength: 65_536 },
    });
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
    await using watching = await watchedClient(server.url, CREDENTIAL);
    await using _ = watching.client.subscribe('stations');
    await watching.until('waiting');
    expect(server.conversations.flatMap(({ received }) => received)).toEqual([]);
  });

  test('when it never answers', async () => {
    await using server = await HostileServer.start();
    await using watching = await watchedClient(server.url, CREDENTIAL, { limits: { answerTimeoutMs: 300 } });
    await using _ = watching.client.subscribe('stations');
    const { error } = await watching.until('waiting');
    expect(error).toMatchObject({ message: 'no answer within 300 ms' });
  });

  test('when it pings without reading', async () => {
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
    await using watching = await watchedClient(server.url, CREDENTIAL);
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
    await using watching = await watchedClient(server.url, CREDENTIAL);
    await using subscription = watching.client.subscribe('stations');
    await expect(subscription.next()).rejects.toMatchObject({ code: 'untrusted_url', retryable: false });
  });
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
          for (let number = 1; number <= 300; number += 1) {
            to.event(subscriptionId, number, { id: `r${number}`, block });
          }
        }),
    });
    await using client = await connect(server.url, CREDENTIAL, {
      limits: { maxQueuedLength: 1_000_000 },
    });
    await using _ = client.subscribe('stations');
    await expect
      .poll(() => server.conversations[0]?.received.map(({ type }) => type))
      .toContain('unsubscribe');
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
