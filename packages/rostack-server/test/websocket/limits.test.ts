import { describe, expect, test } from 'vitest';
import { MemorySharedTokenStore } from '../../src/auth/index.ts';
import type { ConnectionSlot, SharedConnectionLimits } from '../../src/websocket/index.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

describe('frames', () => {
  test.each<readonly [string, (client: GatewayClient) => void]>([
    ['a binary frame', (client) => client.socket.send(Buffer.from('{"type":"ping","id":"x"}'))],
    ['a text that is not JSON', (client) => client.socket.send('not json')],
    ['a message above the size limit', (client) => client.send({ type: 'ping', id: 'x'.repeat(70_000) })],
    [
      'a message in too many fragments',
      (client) => {
        for (let count = 0; count < 70; count += 1) client.socket.send('[', { fin: false });
        client.socket.send(']', { fin: true });
      },
    ],
    [
      'bytes that are not UTF-8',
      (client) => client.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false }),
    ],
  ])('end the connection with 4400: %s', async (_name, send) => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    send(client);
    expect(await client.closed).toMatchObject({ code: 4400 });
    await expect.poll(() => harness.gateway.status.connections).toBe(0);
  });

  test('may come in fragments within the limits', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    client.socket.send('{"type":"ping",', { fin: false });
    client.socket.send('"id":"x"}', { fin: true });
    expect(await client.next('pong')).toEqual({ type: 'pong', id: 'x' });
  });

  test('are measured after inflation', async () => {
    await using harness = await GatewayHarness.start({ extensions: ['permessage-deflate'] });
    await using client = await GatewayClient.connect(harness.url, { perMessageDeflate: { threshold: 0 } });
    await client.authenticate(harness.token().token);
    client.send({ type: 'ping', id: 'x'.repeat(70_000) });
    expect(await client.closed).toMatchObject({ code: 4400 });
  });
});

describe('a client that asks too much', () => {
  test('is told to wait, and closed with 4429 when it goes on', async () => {
    await using harness = await GatewayHarness.start({
      gateway: { limits: { messageRate: { burst: 10, perSecond: 1 }, maxRateViolations: 3 } },
    });
    await using client = await harness.client();
    for (let count = 0; count < 13; count += 1) client.send({ type: 'ping', id: `${count}` });
    expect(await client.closed).toMatchObject({ code: 4429 });
    const codes = client.received.map((message) =>
      !Array.isArray(message) && message.type === 'error' ? message.code : 'other',
    );
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(4);
  });

  test('is closed with 4429 when it sends too much while its credential is verified', async () => {
    await using harness = await GatewayHarness.start({
      gateway: {
        limits: { maxWaitingMessages: 5 },
        authenticators: [
          {
            method: 'shared_token',
            authenticate: () => new Promise(() => {}),
            recheck: () => new Promise(() => {}),
          },
        ],
      },
    });
    await using client = await GatewayClient.connect(harness.url);
    client.send({ type: 'authenticate', method: 'shared_token', token: 'x' });
    // One more than may wait.
    for (let count = 0; count < 6; count += 1) client.send({ type: 'ping', id: `${count}` });
    expect(await client.closed).toMatchObject({ code: 4429 });
  });
});

test('a connection that is being closed has no subscriptions, whether or not its client answers', async () => {
  await using harness = await GatewayHarness.start({ gateway: { limits: { maxInvalidMessages: 1 } } });
  await using client = await harness.client();
  await client.subscribe('s', 'stations');
  client.socket.pause();
  for (let count = 1; count <= 2; count += 1) client.send({ type: 'ping' });
  const subscriptions = () => harness.gateway.status.resources.map((each) => each.subscriptions);
  await expect.poll(subscriptions).not.toContain(1);
  expect(harness.gateway.status.connections).toBe(1);
});

test('the twenty-first malformed message ends the connection with 4400, the others are answered', async () => {
  await using harness = await GatewayHarness.start({
    gateway: { limits: { messageRate: { burst: 1_000, perSecond: 1_000 } } },
  });
  await using client = await harness.client();
  for (let count = 0; count < 20; count += 1) client.send({ type: 'ping' });
  client.send({ type: 'ping', id: 'still here' });
  await client.until(() => client.received.length > 21);
  expect(client.received.at(-1)).toEqual({ type: 'pong', id: 'still here' });
  expect(client.errors.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => 'invalid_message'));
  client.send({ type: 'ping' });
  expect(await client.closed).toMatchObject({ code: 4400 });
});

describe('gateways that count connections together', () => {
  test('have as many as one, and wait for the count', async () => {
    const held = new Map<string, number>();
    const nameOf = ({ scope, key }: ConnectionSlot) => `${scope} ${key}`;
    const add = (claim: ConnectionSlot, count: number) =>
      held.set(nameOf(claim), (held.get(nameOf(claim)) ?? 0) + count);
    const places: SharedConnectionLimits = {
      acquire: async (claims) => {
        const full = claims.findIndex((claim) => (held.get(nameOf(claim)) ?? 0) >= claim.max);
        if (full !== -1) return full;
        for (const claim of claims) add(claim, 1);
        return undefined;
      },
      release: (claims) => {
        for (const claim of claims) add(claim, -1);
      },
    };
    const tokens = new MemorySharedTokenStore();
    const limits = { maxConnections: 5, maxConnectionsPerAddress: 4, maxConnectionsPerPrincipal: 2 };
    await using one = await GatewayHarness.start({
      tokens,
      gateway: { sharedConnectionLimits: places, limits },
    });
    await using other = await GatewayHarness.start({
      tokens,
      gateway: { sharedConnectionLimits: places, limits },
    });
    const clients = [await one.client({ subject: 'p' }), await other.client({ subject: 'p' })];
    await using third = await GatewayClient.connect(other.url);
    third.send({ type: 'authenticate', method: 'shared_token', token: one.token({ subject: 'p' }).token });
    expect(await third.closed).toMatchObject({ code: 4429 });
    await expect.poll(() => held.get('all ')).toBe(2);
    const idle = [await GatewayClient.connect(one.url), await GatewayClient.connect(other.url)];
    await expect(GatewayClient.connect(one.url)).rejects.toThrow('429');
    for (const client of [...clients, ...idle]) await client[Symbol.asyncDispose]();
    await expect.poll(() => new Set(held.values())).toEqual(new Set([0]));
  });

  /** Places whose answer for one scope waits to be given. */
  function heldPlaces(scope: ConnectionSlot['scope']) {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const held: string[] = [];
    const places: SharedConnectionLimits = {
      acquire: async (claims) => {
        if (claims.some((claim) => claim.scope === scope)) {
          asked.resolve();
          await answer.promise;
        }
        held.push(...claims.map((claim) => claim.scope));
        return undefined;
      },
      release: (claims) => {
        for (const claim of claims) held.splice(held.indexOf(claim.scope), 1);
      },
    };
    return { places, held, asked: asked.promise, answer: () => answer.resolve() };
  }

  test('give the place of a connection back that comes when they drain already', async () => {
    const { places, held, asked, answer } = heldPlaces('all');
    await using harness = await GatewayHarness.start({ gateway: { sharedConnectionLimits: places } });
    const refusal = GatewayClient.connect(harness.url).catch((error: Error) => error.message);
    await asked;
    await harness.gateway.drain();
    answer();
    expect(await refusal).toBe('HTTP 503');
    expect(held).toEqual([]);
  });

  test('give the place of a principal back that comes when the connection has gone', async () => {
    const { places, held, asked, answer } = heldPlaces('principal');
    await using harness = await GatewayHarness.start({ gateway: { sharedConnectionLimits: places } });
    const hasty = await GatewayClient.connect(harness.url);
    hasty.send({ type: 'authenticate', method: 'shared_token', token: harness.token().token });
    await asked;
    hasty.socket.terminate();
    await expect.poll(() => harness.gateway.status.connections).toBe(0);
    answer();
    // It is answered after the one that has gone.
    await using _next = await harness.client();
    expect(held.toSorted()).toEqual(['address', 'all', 'principal']);
  });

  test('refuse a connection whose places cannot be asked for', async () => {
    const places: SharedConnectionLimits = {
      acquire: () => Promise.reject(new Error('away')),
      release: () => {},
    };
    await using harness = await GatewayHarness.start({ gateway: { sharedConnectionLimits: places } });
    await expect(GatewayClient.connect(harness.url)).rejects.toThrow('503');
  });
});
