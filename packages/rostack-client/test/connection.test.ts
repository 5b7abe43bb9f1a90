import { type Credential, connect, type ResourceEvent } from 'rostack-client';
import { FaultProxy } from 'test-support/fault-proxy';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { type Station, station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';
import { watchedClient } from './support/watched-client.ts';

/** A gateway is told the proxy's port before it has its own. */
const NOWHERE = { host: 'localhost', port: 9 };

const sharedToken = (gateway: TestGateway, options = {}): Credential => ({
  method: 'shared_token',
  token: gateway.token(options).token,
});

/** A follow that has more waiting events than this is paused, and subscribed nowhere, until they are read. */
const MOST_UNREAD = 1_000;

const numbersFrom = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => station(first + index).id);

describe('go_away', () => {
  test('the next connection is subscribed before the old one is left; nothing comes twice or is missing', async () => {
    await using proxy = await FaultProxy.start(NOWHERE);
    const subscribedElsewhere: number[] = [];
    let countElsewhere = (): number => 0;
    await using old = await TestGateway.start({
      advertisedPort: proxy.port,
      gateway: { hooks: { onClosed: () => subscribedElsewhere.push(countElsewhere()) } },
    });
    await using fresh = await TestGateway.start({
      advertisedPort: proxy.port,
      store: old.store,
      tokens: old.tokens,
    });
    proxy.leadTo({ host: 'localhost', port: old.port });
    await using watching = await watchedClient(old.url, sharedToken(old));
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);

    let written = 0;
    const drained = new AbortController();
    const writing = (async () => {
      while (!drained.signal.aborted && written < MOST_UNREAD) await old.put('stations', station(written++));
    })();
    countElsewhere = () => fresh.gateway.status.subscriptions;
    proxy.leadTo({ host: 'localhost', port: fresh.port });
    await old.gateway.drain({ drainTimeoutMs: 10_000, reconnectSpreadMs: 0 });
    // When the old connection was left, the subscription stood at the new one.
    expect(subscribedElsewhere).toEqual([1]);
    drained.abort();
    await writing;
    const seen: string[] = [];
    while (seen.length < written) seen.push(...idsOf(await take(follow, 1)));
    expect(seen).toEqual(numbersFrom(0, written - 1));
    expect(watching.statuses.map(({ kind }) => kind)).toEqual([
      'connecting',
      'connected',
      'leaving',
      'connecting',
      'connected',
    ]);
  });

  test('goes where the server says, when that is the same host', async () => {
    await using old = await TestGateway.start();
    await using fresh = await TestGateway.start({ store: old.store, tokens: old.tokens });
    await using watching = await watchedClient(old.url, sharedToken(old));
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    await old.gateway.drain({
      reconnectSpreadMs: 0,
      gatewayUrl: `wss://localhost:${fresh.port}/gateway`,
    });
    await old.put('stations', station(1));
    expect(idsOf(await takeUntil(follow, ({ kind }) => kind === 'created'))).toEqual([station(1).id]);
    expect(fresh.gateway.status.subscriptions).toBe(1);
  });

  test('does not go elsewhere with the credentials', async () => {
    await using gateway = await TestGateway.start();
    await using watching = await watchedClient(gateway.url, sharedToken(gateway));
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const drained = gateway.gateway.drain({
      drainTimeoutMs: 500,
      reconnectSpreadMs: 0,
      gatewayUrl: 'wss://evil.example/gateway',
    });
    await watching.until('complaint');
    await drained;
    expect(watching.statuses).toContainEqual(
      expect.objectContaining({
        kind: 'complaint',
        error: expect.objectContaining({ code: 'untrusted_url' }),
      }),
    );
    await gateway.down();
    await gateway.up();
    await gateway.put('stations', station(1));
    expect(idsOf(await takeUntil(follow, ({ kind }) => kind === 'created'))).toEqual([station(1).id]);
  });
});

describe('a connection', () => {
  test('that is cut again and again loses nothing and repeats nothing', async () => {
    await using proxy = await FaultProxy.start(NOWHERE);
    await using gateway = await TestGateway.start({ advertisedPort: proxy.port });
    proxy.leadTo({ host: 'localhost', port: gateway.port });
    await using watching = await watchedClient(gateway.url, sharedToken(gateway));
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const seen: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const first = round * 50;
      const writing = gateway.put(
        'stations',
        ...Array.from({ length: 50 }, (_, index) => station(first + index)),
      );
      proxy.cut();
      await writing;
      while (seen.length < first + 50) seen.push(...idsOf(await take(follow, 1)));
    }
    expect(seen).toEqual(numbersFrom(0, 399));
  });

  test('that hangs is noticed by the heartbeat and replaced', async () => {
    await using proxy = await FaultProxy.start(NOWHERE);
    await using gateway = await TestGateway.start({
      advertisedPort: proxy.port,
      heartbeatIntervalMs: 1_000,
      heartbeatTimeoutMs: 1_000,
    });
    proxy.leadTo({ host: 'localhost', port: gateway.port });
    await using watching = await watchedClient(gateway.url, sharedToken(gateway));
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    proxy.stall();
    await gateway.put('stations', station(1));
    const reasons = (): unknown[] =>
      watching.statuses.flatMap((status) =>
        status.kind === 'waiting' ? [(status.error as { code?: string }).code] : [],
      );
    await expect.poll(reasons, { timeout: 20_000 }).toContain('gateway_timeout');
    proxy.resume();
    const changes = await takeUntil(follow, ({ kind }) => kind === 'created');
    expect(idsOf(changes)).toEqual([station(1).id]);
  });

  test('serves as many subscriptions as one asks for, over several sockets', async () => {
    await using gateway = await TestGateway.start();
    await using watching = await watchedClient(gateway.url, sharedToken(gateway));
    const follows = Array.from({ length: 150 }, (_, number) =>
      watching.client.follow<Station>('stations', { filter: { '/altitude': { eq: number } } }),
    );
    await Promise.all(follows.map((follow) => takeUntil(follow, isLive)));
    expect(gateway.gateway.status).toMatchObject({ subscriptions: 150, connections: 2 });
    await gateway.put('stations', station(1, { altitude: 149 }));
    expect(idsOf(await take(follows[149] ?? watching.client.follow('stations'), 1))).toEqual([station(1).id]);
    expect(new Set(watching.statuses.map(({ link }) => link))).toEqual(new Set([1, 2]));
  });
});

describe('a slow consumer', () => {
  test('holds a bounded number of events and still gets each of them, in order', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, sharedToken(gateway), {
      limits: { maxQueuedEvents: 20 },
    });
    await using subscription = client.subscribe<Station>('stations');
    expect(await subscription.next()).toEqual({ done: false, value: { kind: 'caught_up' } });
    for (let batch = 0; batch < 10; batch += 1) {
      const first = batch * 30;
      await gateway.put('stations', ...Array.from({ length: 30 }, (_, index) => station(first + index)));
    }
    // It is left at the server as well: what waits, waits in the log.
    await expect.poll(() => gateway.gateway.status.subscriptions).toBe(0);
    const seen: ResourceEvent<Station>[] = [];
    while (seen.length < 300) {
      const { value } = await subscription.next();
      if (value?.kind === 'event') seen.push(value);
    }
    expect(seen.map(({ resourceId }) => resourceId)).toEqual(numbersFrom(0, 299));
    expect(new Set(seen.map(({ eventId }) => eventId)).size).toBe(300);
    expect(gateway.gateway.status.connections).toBe(1);
  });
});

describe('a subscription', () => {
  test('without a cursor says where events may be missing', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, sharedToken(gateway));
    await using subscription = client.subscribe('stations', {
      eventTypes: ['station.deleted'],
      encoding: 'json',
    });
    expect(await subscription.next()).toMatchObject({ value: { kind: 'caught_up' } });
    await gateway.down();
    await gateway.up();
    expect(await subscription.next()).toMatchObject({ value: { kind: 'gap' } });
    expect(await subscription.next()).toMatchObject({ value: { kind: 'caught_up' } });
    await gateway.put('stations', station(1));
    await gateway.remove('stations', station(1).id);
    expect(await subscription.next()).toMatchObject({
      value: { kind: 'event', eventType: 'station.deleted', transition: 'delete' },
    });
    expect(subscription.cursor).toBeUndefined();
    await subscription.close();
    expect(await subscription.next()).toEqual({ done: true, value: undefined });
    expect(subscription.cursor).toBeDefined();
  });

  test('ends when its cursor is none', async () => {
    await using gateway = await TestGateway.start();
    await using client = await connect(gateway.url, sharedToken(gateway));
    await using subscription = client.subscribe('stations', { cursor: 'nothing' });
    await expect(subscription.next()).rejects.toMatchObject({ code: 'cursor_unavailable', retryable: false });
  });
});
