import { type ClientClock, type ClientOptions, connect, type RostackClient } from 'rostack-client';
import { describe, expect, test } from 'vitest';
import { isLive, takeUntil } from './support/collect.ts';
import { HostileServer } from './support/hostile-server.ts';
import { JumpingClock } from './support/jumping-clock.ts';
import { station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';

const CREDENTIAL = { method: 'shared_token', token: 'secret-token' } as const;

/** What a client begins outside itself: timers, sockets and requests. */
class Begun {
  readonly timers = new Set<string>();
  readonly sockets = new Set<WebSocket>();
  readonly requests = new Set<string>();

  options(clock: ClientClock = new JumpingClock()): ClientOptions {
    const { timers, sockets, requests } = this;
    let count = 0;
    return {
      clock: {
        wallMs: () => clock.wallMs(),
        monotonicMs: () => clock.monotonicMs(),
        after: (delayMs, callback, isBackground) => {
          const name = `${(count += 1)}: ${Math.round(delayMs)} ms`;
          timers.add(name);
          const cancel = clock.after(
            delayMs,
            () => {
              timers.delete(name);
              callback();
            },
            isBackground,
          );
          return () => {
            timers.delete(name);
            cancel();
          };
        },
      },
      WebSocket: class extends WebSocket {
        constructor(...given: ConstructorParameters<typeof WebSocket>) {
          super(...given);
          sockets.add(this);
        }
      },
      fetch: async (input, init) => {
        const name = `${(count += 1)}: ${new Request(input).url}`;
        requests.add(name);
        try {
          return await fetch(input, init);
        } finally {
          requests.delete(name);
        }
      },
    };
  }

  get isConnected(): boolean {
    return [...this.sockets].some(({ readyState }) => readyState !== WebSocket.CLOSED);
  }

  /** What has not ended, once whoever was called off had some turns to notice. */
  async left(): Promise<readonly string[]> {
    for (let turn = 0; turn < 10; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
    const open = [...this.sockets].filter(({ readyState }) => readyState <= WebSocket.OPEN);
    return [...this.timers, ...this.requests, ...open.map(({ url }) => url)];
  }
}

const credentialOf = (gateway: TestGateway) =>
  ({ method: 'shared_token', token: gateway.token().token }) as const;

describe('a client that is closed leaves no timer, socket or request', () => {
  test.for<[string, (client: RostackClient, gateway: TestGateway, begun: Begun) => Promise<void>]>([
    ['after it has only read', async (client) => void (await client.get('stations', station(1).id))],
    [
      'while it follows, with a filter and the first records too',
      async (client) => {
        const filter = { '/altitude': { gte: 500 } };
        for (const options of [{}, { filter }, { sort: ['/name'], limit: 1 }])
          await takeUntil(client.follow('stations', options), isLive);
      },
    ],
    [
      'right after its last subscription has ended',
      async (client) => {
        await using subscription = client.subscribe('stations');
        await subscription.next();
      },
    ],
    [
      'while it waits to come back',
      async (client, gateway, begun) => {
        await takeUntil(client.follow('stations'), isLive);
        await gateway.down();
        await expect.poll(() => begun.isConnected).toBe(false);
      },
    ],
    [
      'while a list is read',
      async (client) => {
        for await (const _ of client.list('stations', { pageSize: 1 })) break;
      },
    ],
  ])('%s', async ([, use]) => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1), station(2));
    const begun = new Begun();
    const client = await connect(gateway.url, credentialOf(gateway), begun.options());
    await use(client, gateway, begun);
    await client.close();
    expect(await begun.left()).toEqual([]);
  });

  test('while nobody answers its subscription', async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await HostileServer.start({
      talk: (to) => to.authenticates().on('subscribe', () => asked.resolve()),
    });
    const begun = new Begun();
    const client = await connect(server.url, CREDENTIAL, begun.options());
    const message = client.subscribe('stations').next();
    const failure = message.catch((error: { code: string }) => error.code);
    await asked.promise;
    await client.close();
    expect(await failure).toBe('client_closed');
    expect(await begun.left()).toEqual([]);
  });

  test('while a bookmark is checked', async () => {
    const clock = new JumpingClock();
    const checked = Promise.withResolvers<void>();
    await using server = await HostileServer.start({
      talk: (to) =>
        to.authenticates().on('subscribe', ({ subscription_id, event_encoding }) => {
          if (subscription_id !== 's1') {
            checked.resolve();
            return;
          }
          to.send({ type: 'subscribed', subscription_id, event_encoding, replaying: true });
          to.send({ type: 'replay_complete', subscription_id });
        }),
    });
    const begun = new Begun();
    const options = { ...begun.options(clock), bookmarkAfterMs: 1_000 };
    const client = await connect(server.url, CREDENTIAL, options);
    const subscription = client.subscribe('stations', { cursor: 'before' });
    expect(await subscription.next()).toMatchObject({ value: { kind: 'caught_up' } });
    clock.jump(1_000);
    await checked.promise;
    await client.close();
    expect(await begun.left()).toEqual([]);
  });

  test('while an answer does not come', async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await HostileServer.start({ answer: () => asked.resolve() });
    const begun = new Begun();
    const client = await connect(server.url, CREDENTIAL, begun.options());
    const item = client.get('stations', 'a').catch((error: { code: string }) => error.code);
    await asked.promise;
    await client.close();
    expect(await item).toBe('client_closed');
    expect(await begun.left()).toEqual([]);
  });
});
