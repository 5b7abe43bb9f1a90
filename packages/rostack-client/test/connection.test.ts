import {
  type ClientLimits,
  type ConnectionStatus,
  type Credential,
  type CredentialReason,
  connect,
  type ResourceEvent,
  type RostackClient,
} from 'rostack-client';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { type Station, station } from './support/observatory.ts';
import { TcpProxy } from './support/tcp-proxy.ts';
import { TestGateway } from './support/test-gateway.ts';

const sharedToken = (gateway: TestGateway, options = {}): Credential => ({
  method: 'shared_token',
  token: gateway.token(options).token,
});

/** A client whose statuses can be waited for. */
async function watched(
  url: string,
  credentials: Parameters<typeof connect>[1],
  limits: Partial<ClientLimits> = {},
): Promise<{ client: RostackClient; statuses: ConnectionStatus[]; until: (kind: string) => Promise<void> }> {
  const statuses: ConnectionStatus[] = [];
  let wake = (): void => {};
  const client = await connect(url, credentials, {
    limits,
    onStatus: (status) => {
      statuses.push(status);
      wake();
    },
  });
  const until = async (kind: string): Promise<void> => {
    while (!statuses.some((status) => status.kind === kind)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { client, statuses, until };
}

const numbersFrom = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => station(first + index).id);

describe('go_away', () => {
  test('the next connection is subscribed before the old one is left; nothing comes twice or is missing', async () => {
    await using proxy = await TcpProxy.start();
    const subscribedElsewhere: number[] = [];
    let countElsewhere = (): number => 0;
    await using old = await TestGateway.start({
      advertisedPort: proxy.port,
      gateway: { observer: { onClosed: () => subscribedElsewhere.push(countElsewhere()) } },
    });
    await using fresh = await TestGateway.start({
      advertisedPort: proxy.port,
      store: old.store,
      tokens: old.tokens,
    });
    proxy.target(old.port);
    const { client, statuses } = await watched(old.url, sharedToken(old));
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);

    let written = 0;
    const drained = new AbortController();
    const writing = (async () => {
      while (!drained.signal.aborted) await old.put('stations', station(written++));
    })();
    countElsewhere = () => fresh.gateway.status.subscriptions;
    proxy.target(fresh.port);
    await old.gateway.drain({ drainTimeoutMs: 10_000, reconnectSpreadMs: 0 });
    // When the old connection was left, the subscription stood at the new one.
    expect(subscribedElsewhere).toEqual([1]);
    drained.abort();
    await writing;
    const seen: string[] = [];
    while (seen.length < written) seen.push(...idsOf(await take(follow, 1)));
    expect(seen).toEqual(numbersFrom(0, written - 1));
    expect(statuses.map(({ kind }) => kind)).toEqual([
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
    const { client } = await watched(old.url, sharedToken(old));
    await using _ = client;
    await using follow = client.follow<Station>('stations');
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
    const { client, statuses, until } = await watched(gateway.url, sharedToken(gateway));
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const drained = gateway.gateway.drain({
      drainTimeoutMs: 500,
      reconnectSpreadMs: 0,
      gatewayUrl: 'wss://evil.example/gateway',
    });
    await until('complaint');
    await drained;
    expect(statuses).toContainEqual(
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

describe('credentials', () => {
  test('are renewed before they expire, on the same connection', async () => {
    await using gateway = await TestGateway.start();
    const lifetimeMs = 6_000;
    const reasons: CredentialReason[] = [];
    const { client, statuses } = await watched(gateway.url, ({ reason }) => {
      reasons.push(reason);
      return sharedToken(gateway, { expiresAtMs: Date.now() + lifetimeMs });
    });
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const startMs = performance.now();
    const seen: string[] = [];
    let written = 0;
    // Beyond the end of the first one.
    while (performance.now() - startMs < lifetimeMs + 500) {
      await gateway.put('stations', station(written));
      written += 1;
      seen.push(...idsOf(await take(follow, 1)));
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
    expect(seen).toEqual(numbersFrom(0, written - 1));
    expect(reasons).toEqual(['initial', 'expiring']);
    expect(statuses.map(({ kind }) => kind)).toEqual(['connecting', 'connected']);
  });

  test('that are revoked are asked for again, and the follow goes on', async () => {
    await using gateway = await TestGateway.start();
    const reasons: CredentialReason[] = [];
    let tokenId = '';
    const { client } = await watched(gateway.url, ({ reason }) => {
      reasons.push(reason);
      const made = gateway.token();
      tokenId = made.tokenId;
      return { method: 'shared_token', token: made.token };
    });
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    gateway.tokens.revoke(tokenId, Date.now());
    await takeUntil(follow, isLive);
    await gateway.put('stations', station(1));
    expect(idsOf(await take(follow, 1))).toEqual([station(1).id]);
    expect(reasons).toEqual(['initial', 'refused']);
    gateway.tokens.revoke(tokenId, Date.now());
    expect(await client.get('stations', station(1).id)).toMatchObject({ kind: 'found' });
    expect(reasons).toEqual(['initial', 'refused', 'refused']);
  });

  test('that cannot be renewed end the follow when they are refused', async () => {
    await using gateway = await TestGateway.start();
    const { token, tokenId } = gateway.token();
    const { client } = await watched(gateway.url, { method: 'shared_token', token });
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const next = follow.next();
    gateway.tokens.revoke(tokenId, Date.now());
    await expect(next).rejects.toMatchObject({ code: 'authentication_failed', retryable: false });
  });

  test('a callback that gives refused ones for a while gets through in the end', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    const { client } = await watched(gateway.url, () => {
      asked += 1;
      // The snapshot is read with the first one.
      return asked === 1 || asked > 6
        ? sharedToken(gateway)
        : { method: 'shared_token', token: `nothing-${asked}` };
    });
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    for (const { tokenId } of gateway.issued) gateway.tokens.revoke(tokenId, Date.now());
    await takeUntil(follow, isLive);
    expect(asked).toBe(7);
  });

  test('a callback that gives refused ones is asked three times at least, not for ever', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    const good = sharedToken(gateway);
    const answer = (): Credential => {
      asked += 1;
      return asked === 1 ? good : { method: 'shared_token', token: `nothing-${asked}` };
    };
    const { client } = await watched(gateway.url, answer, { maxRefusalMs: 1 });
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const next = follow.next();
    for (const { tokenId } of gateway.issued) gateway.tokens.revoke(tokenId, Date.now());
    await expect(next).rejects.toMatchObject({ code: 'authentication_failed' });
    expect(asked).toBe(3);
  });

  test('a request is made again with another one as often as two are refused', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    let isGiving = true;
    const { client } = await watched(gateway.url, () => {
      asked += 1;
      return asked % 3 === 0 && isGiving
        ? sharedToken(gateway)
        : { method: 'shared_token', token: `n${asked}` };
    });
    await using _ = client;
    expect(await client.get('stations', 'a')).toEqual({ kind: 'absent' });
    expect(asked).toBe(3);
    isGiving = false;
    for (const { tokenId } of gateway.issued) gateway.tokens.revoke(tokenId, Date.now());
    await expect(client.get('stations', 'a')).rejects.toMatchObject({ code: 'authentication-required' });
    expect(asked).toBe(5);
  });

  test('another principal takes a snapshot of its own', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1));
    let subject = 'one';
    let tokenId = '';
    const { client } = await watched(gateway.url, () => {
      const made = gateway.token({ subject });
      tokenId = made.tokenId;
      return { method: 'shared_token', token: made.token };
    });
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    subject = 'two';
    gateway.tokens.revoke(tokenId, Date.now());
    expect(await takeUntil(follow, isLive)).toMatchObject([{ kind: 'snapshot', reason: 'replaced' }, {}]);
  });
});

describe('a connection', () => {
  test('that is cut again and again loses nothing and repeats nothing', async () => {
    await using proxy = await TcpProxy.start();
    await using gateway = await TestGateway.start({ advertisedPort: proxy.port });
    proxy.target(gateway.port);
    const { client } = await watched(gateway.url, sharedToken(gateway));
    await using _ = client;
    await using follow = client.follow<Station>('stations');
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
    await using proxy = await TcpProxy.start();
    await using gateway = await TestGateway.start({
      advertisedPort: proxy.port,
      heartbeatIntervalMs: 1_000,
      heartbeatTimeoutMs: 1_000,
    });
    proxy.target(gateway.port);
    const { client, statuses } = await watched(gateway.url, sharedToken(gateway));
    await using _ = client;
    await using follow = client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    proxy.stall();
    await gateway.put('stations', station(1));
    const reasons = (): unknown[] =>
      statuses.flatMap((status) =>
        status.kind === 'waiting' ? [(status.error as { code?: string }).code] : [],
      );
    await expect.poll(reasons, { timeout: 20_000 }).toContain('gateway_timeout');
    proxy.release();
    const changes = await takeUntil(follow, ({ kind }) => kind === 'created');
    expect(idsOf(changes)).toEqual([station(1).id]);
  });

  test('serves as many subscriptions as one asks for, over several sockets', async () => {
    await using gateway = await TestGateway.start();
    const { client, statuses } = await watched(gateway.url, sharedToken(gateway));
    await using _ = client;
    const follows = Array.from({ length: 150 }, (_, number) =>
      client.follow<Station>('stations', { filter: { '/altitude': { eq: number } } }),
    );
    await Promise.all(follows.map((follow) => takeUntil(follow, isLive)));
    expect(gateway.gateway.status).toMatchObject({ subscriptions: 150, connections: 2 });
    await gateway.put('stations', station(1, { altitude: 149 }));
    expect(idsOf(await take(follows[149] ?? client.follow('stations'), 1))).toEqual([station(1).id]);
    expect(new Set(statuses.map(({ link }) => link))).toEqual(new Set([1, 2]));
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
    subscription.close();
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
