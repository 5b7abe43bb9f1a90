import { describe, expect, test } from 'vitest';
import { type Authenticator, createSharedToken } from '../../src/auth/index.ts';
import { createRateLimiter } from '../../src/rate-limit/index.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';

const soon = (ms: number): number => Date.now() + ms;

describe('authentication on the gateway', () => {
  test('is refused with an error and 4401 for a credential that is not known', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await GatewayClient.connect(harness.url);
    client.send({ type: 'authenticate', method: 'shared_token', token: 'nothing of ours' });
    expect(await client.next('error')).toMatchObject({ code: 'authentication_failed', retryable: true });
    expect(await client.closed).toMatchObject({ code: 4401 });
  });

  test('counts refused credentials per address, with the HTTP part, and never refuses right ones for them', async () => {
    const rateLimiter = createRateLimiter({ failuresPerAddress: { points: 3, windowMs: 60_000 } });
    const failures: unknown[] = [];
    await using harness = await GatewayHarness.start({
      gateway: {
        rateLimiter,
        clientAddress: (request) => String(request.headers['x-address']),
        hooks: {
          onAuthenticationFailed: ({ address }, reason, isLimited) =>
            failures.push([address, reason, isLimited]),
        },
      },
    });
    const connect = (address: string) =>
      GatewayClient.connect(harness.url, { headers: { 'x-address': address } });
    const attempt = async (address: string, message: object): Promise<unknown[]> => {
      await using client = await connect(address);
      client.send({ type: 'authenticate', method: 'shared_token', ...message });
      const { code, retry_after_ms: waitMs } = await client.next('error');
      return [code, (waitMs ?? 0) > 0, (await client.closed).code];
    };
    const refused = ['authentication_failed', false, 4401];
    const limited = ['rate_limited', true, 4429];
    const stranger = createSharedToken().token;
    // One more was wrong over HTTP: `failure` is the budget that both take from.
    expect(await rateLimiter.consume('failure', 'a', 1)).toBe(0);
    expect(await attempt('a', { token: 'nothing of ours' })).toEqual(refused);
    expect(await attempt('a', { token: stranger, method: 'oauth2' })).toEqual(refused);
    expect(await attempt('a', { token: stranger })).toEqual(limited);
    expect(await attempt('b', { token: stranger })).toEqual(refused);
    expect(failures).toEqual([
      ['a', 'malformed', false],
      ['a', 'unknown', false],
      ['a', 'unknown', true],
      ['b', 'unknown', false],
    ]);
    await using right = await connect('a');
    await right.authenticate(harness.token({ subject: 'p' }).token);
    right.send({ type: 'authenticate', method: 'shared_token', token: stranger });
    expect(await right.next('error')).toMatchObject({ code: 'rate_limited' });
    await right.subscribe('s1', 'stations');
  });

  test('closes with 4401 when something else comes first, with 4400 when it is no message', async () => {
    await using harness = await GatewayHarness.start();
    await using hasty = await GatewayClient.connect(harness.url);
    hasty.send({ type: 'subscribe', subscription_id: 's', resource: 'stations' });
    expect(await hasty.closed).toMatchObject({ code: 4401 });
    for (const frame of ['hello', '{}', '{"type":"authenticate"}', Buffer.from([1, 2])]) {
      await using odd = await GatewayClient.connect(harness.url);
      odd.socket.send(frame);
      expect(await odd.closed).toMatchObject({ code: 4400 });
    }
  });

  test('closes with 4408 when it does not come in time', async () => {
    await using harness = await GatewayHarness.start({ authenticationTimeoutMs: 1_000 });
    await using client = await GatewayClient.connect(harness.url);
    expect(await client.closed).toEqual({ code: 4408, reason: 'authentication timeout' });
  });

  test('lets messages wait that came right behind it', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await GatewayClient.connect(harness.url);
    client.send({ type: 'authenticate', method: 'shared_token', token: harness.token().token });
    client.send({ type: 'subscribe', subscription_id: 's1', resource: 'stations' });
    client.send({ type: 'ping', id: 'p' });
    await client.next('authenticated');
    expect(await client.next('pong')).toEqual({ type: 'pong', id: 'p' });
    expect(await client.next('subscribed')).toMatchObject({ subscription_id: 's1' });
  });

  test('may be repeated by the same principal: subscriptions stay, and the new expiry counts', async () => {
    const clock = new ShiftedClock();
    await using harness = await GatewayHarness.start({ gateway: { clock } });
    await using client = await GatewayClient.connect(harness.url);
    const expiresAtMs = soon(60_000);
    const first = await client.authenticate(harness.token({ subject: 'p', expiresAtMs }).token);
    expect(first.reauthenticate_at).toBe(new Date(expiresAtMs).toISOString());
    await client.subscribe('s1', 'stations');
    const second = await client.authenticate(harness.token({ subject: 'p' }).token);
    expect(second).toMatchObject({ principal_id: first.principal_id });
    expect(second.reauthenticate_at).toBeUndefined();
    clock.pass(65_000);
    await harness.put('stations', { id: 'a' });
    expect(await client.next('event')).toMatchObject({ subscription_id: 's1', resource_id: 'a' });
  });

  test('keeps the old credential when the new one is of another principal, another method or refused', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client({ subject: 'p' });
    await client.subscribe('s1', 'stations');
    client.send({
      type: 'authenticate',
      method: 'shared_token',
      token: harness.token({ subject: 'q' }).token,
    });
    expect(await client.next('error')).toMatchObject({ code: 'reauthentication_identity_mismatch' });
    client.send({ type: 'authenticate', method: 'oauth2', token: 'x' });
    expect(await client.next('error')).toMatchObject({ code: 'reauthentication_identity_mismatch' });
    client.send({ type: 'authenticate', method: 'shared_token', token: 'nothing of ours' });
    expect(await client.next('error')).toMatchObject({ code: 'authentication_failed' });
    await harness.put('stations', { id: 'a' });
    expect(await client.next('event')).toMatchObject({ resource_id: 'a' });
  });

  test('ends with 4401 when the credential expires', async () => {
    const clock = new ShiftedClock();
    await using harness = await GatewayHarness.start({ gateway: { clock } });
    await using client = await harness.client({ expiresAtMs: soon(60_000) });
    await client.subscribe('s1', 'stations');
    clock.pass(60_000);
    expect(await client.closed).toEqual({ code: 4401, reason: 'credential expired' });
  });

  test('that expires while events are on their way lets none through any more', async () => {
    const clock = new ShiftedClock();
    await using harness = await GatewayHarness.start({ gateway: { clock } });
    await using client = await harness.client({ expiresAtMs: soon(60_000) });
    await client.subscribe('s1', 'stations');
    await harness.put('stations', { id: 'before' });
    expect(await client.next('event')).toMatchObject({ resource_id: 'before' });
    clock.pass(60_000);
    await harness.put('stations', { id: 'after' });
    expect(await client.closed).toEqual({ code: 4401, reason: 'credential expired' });
    expect(client.events).toHaveLength(1);
  });

  test('ends with 4401 soon after the credential was revoked', async () => {
    await using harness = await GatewayHarness.start({ gateway: { recheckIntervalMs: 100 } });
    await using client = await GatewayClient.connect(harness.url);
    await using other = await harness.client();
    const { token, tokenId } = harness.token();
    await client.authenticate(token);
    harness.tokens.revoke(tokenId, Date.now());
    expect(await client.closed).toEqual({ code: 4401, reason: 'credential revoked' });
    expect(other.socket.readyState).toBe(1);
  });

  test('is not looked at any more once all of its connections have gone', async () => {
    const checked: (string | undefined)[] = [];
    const authenticator: Authenticator = {
      method: 'shared_token',
      authenticate: (token) => ({
        kind: 'authenticated',
        credential: {
          principal: { id: token, method: 'shared_token', permissions: new Set() },
          credentialId: token,
        },
      }),
      recheck: (credential) => {
        checked.push(credential.credentialId);
        return { kind: 'authenticated', credential };
      },
    };
    const timesOf = (token: string) => checked.filter((each) => each === token).length;
    await using harness = await GatewayHarness.start({
      gateway: { recheckIntervalMs: 100, authenticators: [authenticator] },
    });
    const connected = async (token: string) => {
      const client = await GatewayClient.connect(harness.url);
      await client.authenticate(token);
      return client;
    };
    await using _stays = await connected('stays');
    const [one, other] = [await connected('goes'), await connected('goes')];
    await one[Symbol.asyncDispose]();
    await expect.poll(() => harness.gateway.status.connections).toBe(2);
    const before = timesOf('goes');
    await expect.poll(() => timesOf('goes')).toBeGreaterThan(before);
    await other[Symbol.asyncDispose]();
    await expect.poll(() => harness.gateway.status.connections).toBe(1);
    const [last, others] = [timesOf('goes'), timesOf('stays')];
    await expect.poll(() => timesOf('stays')).toBeGreaterThan(others + 2);
    // One check may have been under way.
    expect(timesOf('goes')).toBeLessThanOrEqual(last + 1);
  });

  test('that no longer permits a subscription ends that one alone', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client({ subject: 'p' });
    await client.subscribe('s1', 'stations');
    await client.subscribe('a1', 'alerts');
    await client.authenticate(harness.token({ subject: 'p', grants: ['stations:read'] }).token);
    expect(await client.next('error')).toMatchObject({ code: 'permission_revoked', subscription_id: 's1' });
    await harness.put('stations', { id: 'a' });
    await harness.put('alerts', { id: 'b' });
    expect(await client.next('event')).toMatchObject({ subscription_id: 'a1' });
    client.send({ type: 'subscribe', subscription_id: 's1', resource: 'stations' });
    expect(await client.next('error')).toMatchObject({ code: 'permission_denied', subscription_id: 's1' });
  });

  test('notices a permission that the token has lost', async () => {
    await using harness = await GatewayHarness.start({ gateway: { recheckIntervalMs: 100 } });
    await using client = await GatewayClient.connect(harness.url);
    const { token, tokenId } = harness.token({ subject: 'p' });
    await client.authenticate(token);
    await client.subscribe('s1', 'stations');
    const record = await harness.tokens.find(tokenId);
    if (record !== undefined) harness.tokens.put({ ...record, grants: [] });
    expect(await client.next('error')).toMatchObject({ code: 'permission_revoked', subscription_id: 's1' });
    expect(client.socket.readyState).toBe(1);
  });

  test('is refused with 4429 beyond the connections allowed per principal', async () => {
    await using harness = await GatewayHarness.start({
      gateway: { limits: { maxConnectionsPerPrincipal: 1 } },
    });
    await using first = await harness.client({ subject: 'p' });
    await using second = await GatewayClient.connect(harness.url);
    second.send({
      type: 'authenticate',
      method: 'shared_token',
      token: harness.token({ subject: 'p' }).token,
    });
    expect(await second.next('error')).toMatchObject({ code: 'rate_limited' });
    expect(await second.closed).toMatchObject({ code: 4429 });
    await using other = await harness.client({ subject: 'q' });
    first.socket.close();
    await first.closed;
    await expect.poll(() => harness.gateway.status.connections).toBe(1);
    await using third = await harness.client({ subject: 'p' });
    expect([other.socket.readyState, third.socket.readyState]).toEqual([1, 1]);
  });

  test('answers service_unavailable and closes with 4500 while nobody can tell', async () => {
    await using harness = await GatewayHarness.start({
      gateway: {
        authenticators: [
          {
            method: 'shared_token',
            authenticate: async () => ({ kind: 'unavailable', retryAfterMs: 700 }),
            recheck: async () => ({ kind: 'unavailable', retryAfterMs: 700 }),
          },
        ],
      },
    });
    await using client = await GatewayClient.connect(harness.url);
    client.send({ type: 'authenticate', method: 'shared_token', token: 'x' });
    expect(await client.next('error')).toMatchObject({ code: 'service_unavailable', retry_after_ms: 700 });
    expect(await client.closed).toMatchObject({ code: 4500 });
  });
});

test('a token in the URL, in a cookie or as a subprotocol authenticates nobody', async () => {
  await using harness = await GatewayHarness.start();
  const { token } = harness.token();
  const ways: readonly [url: string, options: { headers?: Record<string, string>; protocols?: string[] }][] =
    [
      [`${harness.url}?token=${token}`, {}],
      [harness.url, { headers: { cookie: `token=${token}`, authorization: `Rostack-Token ${token}` } }],
      [harness.url, { protocols: ['rostack.v1', token] }],
    ];
  for (const [url, options] of ways) {
    const client = await GatewayClient.connect(url, options).catch(() => undefined);
    if (client === undefined) continue;
    await using _client = client;
    expect(client.socket.protocol).toBe('rostack.v1');
    client.send({ type: 'subscribe', subscription_id: 's', resource: 'stations' });
    expect(await client.closed).toMatchObject({ code: 4401 });
    expect(client.received).toEqual([]);
  }
});

test('events keep their order across a second authentication', async () => {
  await using harness = await GatewayHarness.start();
  await using client = await harness.client({ subject: 'p' });
  await client.subscribe('s1', 'stations');
  const ids = Array.from({ length: 60 }, (_, index) => `r${index}`);
  for (const [index, id] of ids.entries()) {
    if (index % 20 === 10)
      client.send({
        type: 'authenticate',
        method: 'shared_token',
        token: harness.token({ subject: 'p' }).token,
      });
    await harness.put('stations', { id });
  }
  await client.until(() => client.events.length === ids.length);
  expect(client.events.map(({ resource_id }) => resource_id)).toEqual(ids);
  await client.until(() => client.received.filter((message) => 'principal_id' in message).length === 4);
});

test('no refusal names another principal', async () => {
  await using harness = await GatewayHarness.start();
  await using owner = await GatewayClient.connect(harness.url);
  const { principal_id: ownerId } = await owner.authenticate(harness.token({ subject: 'the-owner' }).token);
  await owner.subscribe('s', 'stations');
  await harness.put('stations', { id: 'a' });
  const { cursor } = await owner.next('event');
  await using other = await harness.client({ subject: 'q' });
  other.send({ type: 'subscribe', subscription_id: 's', resource: 'stations', cursor });
  expect(await other.next('error')).toMatchObject({ code: 'cursor_scope_mismatch' });
  other.send({
    type: 'authenticate',
    method: 'shared_token',
    token: harness.token({ subject: 'the-owner' }).token,
  });
  expect(await other.next('error')).toMatchObject({ code: 'reauthentication_identity_mismatch' });
  expect(other.frames).not.toHaveLength(0);
  for (const frame of other.frames) {
    expect(frame).not.toContain(ownerId);
    expect(frame).not.toContain('the-owner');
  }
});
