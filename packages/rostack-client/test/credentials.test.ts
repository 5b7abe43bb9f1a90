import { type Credential, type CredentialReason } from 'rostack-client';
import { MemorySharedTokenStore } from 'rostack-server';
import { FaultProxy } from 'test-support/fault-proxy';
import { describe, expect, test } from 'vitest';
import { idsOf, isLive, take, takeUntil } from './support/collect.ts';
import { HostileServer } from './support/hostile-server.ts';
import { JumpingClock } from './support/jumping-clock.ts';
import { type Station, station } from './support/observatory.ts';
import { TestGateway } from './support/test-gateway.ts';
import { watchedClient } from './support/watched-client.ts';

/** A gateway is told the proxy's port before it has its own. */
const NOWHERE = { host: 'localhost', port: 9 };

const sharedToken = (gateway: TestGateway, options = {}): Credential => ({
  method: 'shared_token',
  token: gateway.token(options).token,
});

class CountingTokens extends MemorySharedTokenStore {
  readonly #found: string[] = [];

  override find(tokenId: string): ReturnType<MemorySharedTokenStore['find']> {
    this.#found.push(tokenId);
    return super.find(tokenId);
  }

  lookUps(tokenId: string | undefined): number {
    return this.#found.filter((found) => found === tokenId).length;
  }
}

describe('credentials', () => {
  test('are renewed before they expire, on the same connection', async () => {
    const tokens = new CountingTokens();
    await using gateway = await TestGateway.start({ tokens });
    const clock = new JumpingClock();
    const reasons: CredentialReason[] = [];
    await using watching = await watchedClient(
      gateway.url,
      ({ reason }) => {
        reasons.push(reason);
        return sharedToken(gateway, { expiresAtMs: Date.now() + 3_600_000 });
      },
      { clock },
    );
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    clock.jump(3_590_000);
    await expect.poll(() => gateway.issued).toHaveLength(2);
    const [first, second] = gateway.issued.map(({ tokenId }) => tokenId);
    /** The gateway looks up the token of each connection again and again. */
    const untilLookedUpAgain = async (): Promise<void> => {
      const before = tokens.lookUps(second);
      await expect.poll(() => tokens.lookUps(second)).toBeGreaterThan(before + 1);
    };
    await untilLookedUpAgain();
    tokens.revoke(first ?? '', Date.now());
    await untilLookedUpAgain();
    await gateway.put('stations', station(1));
    expect(idsOf(await take(follow, 1))).toEqual([station(1).id]);
    expect(reasons).toEqual(['initial', 'expiring']);
    expect(watching.statuses.map(({ kind }) => kind)).toEqual(['connecting', 'connected']);
  });

  test('that are revoked are asked for again, and the follow goes on', async () => {
    await using gateway = await TestGateway.start();
    const reasons: CredentialReason[] = [];
    let tokenId = '';
    await using watching = await watchedClient(gateway.url, ({ reason }) => {
      reasons.push(reason);
      const made = gateway.token();
      tokenId = made.tokenId;
      return { method: 'shared_token', token: made.token };
    });
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    gateway.tokens.revoke(tokenId, Date.now());
    await takeUntil(follow, isLive);
    await gateway.put('stations', station(1));
    expect(idsOf(await take(follow, 1))).toEqual([station(1).id]);
    expect(reasons).toEqual(['initial', 'refused']);
    gateway.tokens.revoke(tokenId, Date.now());
    expect(await watching.client.get('stations', station(1).id)).toMatchObject({ kind: 'found' });
    expect(reasons).toEqual(['initial', 'refused', 'refused']);
  });

  test('that cannot be renewed end the follow when they are refused', async () => {
    await using gateway = await TestGateway.start();
    const { token, tokenId } = gateway.token();
    await using watching = await watchedClient(gateway.url, { method: 'shared_token', token });
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const next = follow.next();
    gateway.tokens.revoke(tokenId, Date.now());
    await expect(next).rejects.toMatchObject({ code: 'authentication_failed', retryable: false });
  });

  test('a callback that gives refused ones for a while gets through in the end', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    await using watching = await watchedClient(gateway.url, () => {
      asked += 1;
      // The snapshot is read with the first one.
      return asked === 1 || asked > 6
        ? sharedToken(gateway)
        : { method: 'shared_token', token: `nothing-${asked}` };
    });
    await using follow = watching.client.follow<Station>('stations');
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
    await using watching = await watchedClient(gateway.url, answer, { limits: { maxRefusalMs: 1 } });
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    const next = follow.next();
    for (const { tokenId } of gateway.issued) gateway.tokens.revoke(tokenId, Date.now());
    await expect(next).rejects.toMatchObject({ code: 'authentication_failed' });
    expect(asked).toBe(3);
  });

  test('a callback that gives refused ones for a while gets through to the snapshot of a follow as well', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    await using watching = await watchedClient(gateway.url, () => {
      asked += 1;
      return asked > 6 ? sharedToken(gateway) : { method: 'shared_token', token: `nothing-${asked}` };
    });
    const waited: unknown[] = [];
    await using follow = watching.client.follow<Station>('stations', {
      onWaiting: (error) => waited.push(error),
    });
    await takeUntil(follow, isLive);
    expect(asked).toBe(7);
    expect(waited).toMatchObject([{ status: 401 }, { status: 401 }]);
  });

  test('whose renewals are refused for too long end a follow before its snapshot', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    const answer = (): Credential => ({ method: 'shared_token', token: `nothing-${(asked += 1)}` });
    await using watching = await watchedClient(gateway.url, answer, { limits: { maxRefusalMs: 1 } });
    await using follow = watching.client.follow<Station>('stations');
    await expect(follow.next()).rejects.toMatchObject({
      code: 'authentication_failed',
      retryable: false,
      cause: { code: 'authentication-required', status: 401 },
    });
    expect(asked).toBeLessThan(10);
  });

  test('that are fixed and refused end a follow before its snapshot, at once', async () => {
    await using gateway = await TestGateway.start();
    const fixed = { method: 'shared_token', token: 'nothing' } as const;
    await using watching = await watchedClient(gateway.url, fixed);
    const waited: unknown[] = [];
    await using follow = watching.client.follow<Station>('stations', {
      onWaiting: (error) => waited.push(error),
    });
    await expect(follow.next()).rejects.toMatchObject({ code: 'authentication_failed', retryable: false });
    expect(waited).toEqual([]);
  });

  test('a request is made again with another one as often as two are refused', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    let isGiving = true;
    await using watching = await watchedClient(gateway.url, () => {
      asked += 1;
      return asked % 3 === 0 && isGiving
        ? sharedToken(gateway)
        : { method: 'shared_token', token: `n${asked}` };
    });
    expect(await watching.client.get('stations', 'a')).toEqual({ kind: 'absent' });
    expect(asked).toBe(3);
    isGiving = false;
    for (const { tokenId } of gateway.issued) gateway.tokens.revoke(tokenId, Date.now());
    await expect(watching.client.get('stations', 'a')).rejects.toMatchObject({
      code: 'authentication-required',
    });
    expect(asked).toBe(5);
  });

  test('a request is not made again with the one that was refused', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    await using watching = await watchedClient(gateway.url, () => {
      asked += 1;
      return { method: 'shared_token', token: 'the-same' };
    });
    await expect(watching.client.get('stations', 'a')).rejects.toMatchObject({
      code: 'authentication-required',
    });
    // A request with it would have been followed by another renewal.
    expect(asked).toBe(2);
  });

  test('another principal takes a snapshot of its own', async () => {
    await using gateway = await TestGateway.start();
    await gateway.put('stations', station(1));
    let subject = 'one';
    let tokenId = '';
    await using watching = await watchedClient(gateway.url, () => {
      const made = gateway.token({ subject });
      tokenId = made.tokenId;
      return { method: 'shared_token', token: made.token };
    });
    await using follow = watching.client.follow<Station>('stations');
    await takeUntil(follow, isLive);
    subject = 'two';
    gateway.tokens.revoke(tokenId, Date.now());
    expect(await takeUntil(follow, isLive)).toMatchObject([{ kind: 'snapshot', reason: 'replaced' }, {}]);
  });
});

/** A credentials callback that waits until it is told what to give. */
function pendingCredentials(): {
  readonly callback: () => Promise<Credential>;
  readonly give: (credential: Credential) => void;
  readonly asked: () => number;
} {
  const { promise, resolve } = Promise.withResolvers<Credential>();
  let asked = 0;
  return {
    callback: () => {
      asked += 1;
      return promise;
    },
    give: resolve,
    asked: () => asked,
  };
}

describe('the credential of a connection', () => {
  test('is asked for when the socket is open, so that a short-lived one does not expire on the way', async () => {
    await using proxy = await FaultProxy.start(NOWHERE);
    await using gateway = await TestGateway.start({ advertisedPort: proxy.port });
    proxy.leadTo({ host: 'localhost', port: gateway.port });
    const reasons: CredentialReason[] = [];
    await using watching = await watchedClient(gateway.url, ({ reason }) => {
      reasons.push(reason);
      return sharedToken(gateway);
    });
    const dialled = proxy.accepted;
    proxy.stall();
    await using subscription = watching.client.subscribe('stations');
    const first = subscription.next();
    await expect.poll(() => proxy.accepted).toBeGreaterThan(dialled);
    // What was made before the socket opened is of no use any more.
    for (const { tokenId } of gateway.issued) gateway.tokens.revoke(tokenId, Date.now());
    proxy.resume();
    expect(await first).toMatchObject({ value: { kind: 'caught_up' } });
    expect(reasons).toEqual(['initial']);
    expect(watching.statuses.map(({ kind }) => kind)).toEqual(['connecting', 'connected']);
  });

  test('is asked for when the socket is open also after one was refused', async () => {
    await using proxy = await FaultProxy.start(NOWHERE);
    await using gateway = await TestGateway.start({ advertisedPort: proxy.port });
    proxy.leadTo({ host: 'localhost', port: gateway.port });
    const reasons: CredentialReason[] = [];
    await using watching = await watchedClient(gateway.url, ({ reason }) => {
      reasons.push(reason);
      return sharedToken(gateway);
    });
    await using follow = watching.client.follow('stations');
    await takeUntil(follow, isLive);
    const dialled = proxy.accepted;
    const revokeAll = (): void => {
      for (const { tokenId } of gateway.issued) gateway.tokens.revoke(tokenId, Date.now());
    };
    revokeAll();
    await watching.until('waiting');
    proxy.stall();
    await expect.poll(() => proxy.accepted).toBeGreaterThan(dialled);
    revokeAll();
    proxy.resume();
    await takeUntil(follow, isLive);
    expect(reasons).toEqual(['initial', 'refused']);
  });

  test('that does not come in time leaves no socket open, and is used when it comes', async () => {
    await using gateway = await TestGateway.start();
    const credentials = pendingCredentials();
    const answerTimeoutMs = 60_000;
    const clock = new JumpingClock();
    let opened = 0;
    class CountedWebSocket extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given);
        this.addEventListener('open', () => {
          opened += 1;
        });
      }
    }
    await using watching = await watchedClient(gateway.url, credentials.callback, {
      clock,
      WebSocket: CountedWebSocket,
      limits: { answerTimeoutMs },
    });
    await using subscription = watching.client.subscribe('stations');
    const first = subscription.next();
    for (const attempt of [1, 2]) {
      await expect.poll(() => opened).toBe(attempt);
      clock.jump(answerTimeoutMs);
      const { error } = await watching.until('waiting', attempt);
      expect(error).toMatchObject({ code: 'credentials_unavailable', retryable: true });
    }
    expect(gateway.gateway.status.connections).toBeLessThanOrEqual(1);
    await expect.poll(() => gateway.gateway.status.connections, { interval: 5 }).toBe(0);
    credentials.give(sharedToken(gateway));
    expect(await first).toMatchObject({ value: { kind: 'caught_up' } });
    expect(gateway.gateway.status.connections).toBe(1);
    expect(credentials.asked()).toBe(1);
  });

  test('that cannot be given closes the socket; the next attempt asks again', async () => {
    await using gateway = await TestGateway.start();
    let asked = 0;
    await using watching = await watchedClient(gateway.url, () => {
      asked += 1;
      if (asked < 3) throw new Error('no network');
      return sharedToken(gateway);
    });
    await using subscription = watching.client.subscribe('stations');
    const first = subscription.next();
    expect((await watching.until('waiting')).error).toMatchObject({ code: 'credentials_unavailable' });
    expect(await first).toMatchObject({ value: { kind: 'caught_up' } });
    expect(asked).toBe(3);
    await expect.poll(() => gateway.gateway.status.connections).toBe(1);
  });

  test('that is none ends what is subscribed, and closes the socket', async () => {
    await using gateway = await TestGateway.start();
    await using watching = await watchedClient(gateway.url, () => ({ method: 'shared_token', token: '' }));
    await using subscription = watching.client.subscribe('stations');
    await expect(subscription.next()).rejects.toMatchObject({ code: 'invalid_options', retryable: false });
    await expect.poll(() => gateway.gateway.status.connections).toBe(0);
  });

  test('is not refused by a gateway that closes before it has seen one', async () => {
    const credentials = pendingCredentials();
    await using server = await HostileServer.start({
      talk: (to) => {
        if (to.number <= 4) to.socket.close(4401, 'authentication timeout');
        else to.authenticates().subscribes();
      },
    });
    await using watching = await watchedClient(server.url, credentials.callback, {
      random: () => 0,
      limits: { maxRefusalMs: 1 },
    });
    await using subscription = watching.client.subscribe('stations');
    const first = subscription.next();
    for (let lost = 1; lost <= 4; lost += 1) {
      expect((await watching.until('waiting', lost)).error).toMatchObject({ code: 'connection_lost' });
    }
    credentials.give({ method: 'shared_token', token: 'secret-token' });
    expect(await first).toMatchObject({ value: { kind: 'caught_up' } });
  });
});
