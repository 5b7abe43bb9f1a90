import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

describe('the upgrade', () => {
  test('needs the subprotocol rostack.v1', async () => {
    await using harness = await GatewayHarness.start();
    await expect(GatewayClient.connect(harness.url, { protocols: [] })).rejects.toThrow('HTTP 400');
    await expect(GatewayClient.connect(harness.url, { protocols: ['rostack.v2'] })).rejects.toThrow(
      'HTTP 400',
    );
    await using client = await GatewayClient.connect(harness.url, { protocols: ['other', 'rostack.v1'] });
    expect(client.socket.protocol).toBe('rostack.v1');
  });

  test('is answered with 404 elsewhere', async () => {
    await using harness = await GatewayHarness.start();
    await expect(GatewayClient.connect(`${harness.url}/elsewhere`)).rejects.toThrow('HTTP 404');
  });

  test('lets only listed origins in, and clients without one', async () => {
    await using harness = await GatewayHarness.start({
      gateway: { allowedOrigins: ['https://good.example'] },
    });
    await expect(GatewayClient.connect(harness.url, { origin: 'https://bad.example' })).rejects.toThrow(
      'HTTP 403',
    );
    await using good = await GatewayClient.connect(harness.url, { origin: 'https://good.example' });
    await using bare = await GatewayClient.connect(harness.url);
    expect([good.socket.readyState, bare.socket.readyState]).toEqual([1, 1]);
  });

  test("is refused for the caller's own reasons, before anything else is looked at", async () => {
    await using harness = await GatewayHarness.start({
      gateway: {
        refuse: ({ headers }) =>
          headers['x-forwarded-proto'] === 'http' ? { status: 403, reason: 'Use https.' } : undefined,
      },
    });
    const plain = { headers: { 'x-forwarded-proto': 'http' } };
    await expect(GatewayClient.connect(harness.url, plain)).rejects.toThrow('HTTP 403');
    await using client = await GatewayClient.connect(harness.url);
    expect(client.socket.readyState).toBe(1);
  });

  test('is refused beyond the connections allowed in all, and works again when one has gone', async () => {
    await using harness = await GatewayHarness.start({ gateway: { limits: { maxConnections: 1 } } });
    const first = await GatewayClient.connect(harness.url);
    await expect(GatewayClient.connect(harness.url)).rejects.toThrow('HTTP 503');
    first.socket.close();
    await first.closed;
    await using second = await GatewayClient.connect(harness.url);
    expect(second.socket.readyState).toBe(1);
  });

  test('is refused beyond the connections allowed per address', async () => {
    const refused: number[] = [];
    await using harness = await GatewayHarness.start({
      gateway: {
        limits: { maxConnectionsPerAddress: 1 },
        clientAddress: ({ headers }) => String(headers['x-client']),
        hooks: { onUpgradeRefused: (status) => refused.push(status) },
      },
    });
    await using _one = await GatewayClient.connect(harness.url, { headers: { 'x-client': 'one' } });
    await using _two = await GatewayClient.connect(harness.url, { headers: { 'x-client': 'two' } });
    await expect(GatewayClient.connect(harness.url, { headers: { 'x-client': 'one' } })).rejects.toThrow(
      'HTTP 429',
    );
    expect(refused).toEqual([429]);
  });

  test('takes no place when the handshake fails after all', async () => {
    await using harness = await GatewayHarness.start({ gateway: { limits: { maxConnections: 1 } } });
    const { hostname, port, host, pathname } = new URL(harness.url);
    // A protocol that is offered twice is only found later.
    const offer = [
      `GET ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol: rostack.v1, rostack.v1',
    ];
    for (let count = 1; count <= 3; count += 1) {
      const wrong = connect(Number(port), hostname);
      wrong.write(`${offer.join('\r\n')}\r\n\r\n`);
      expect(await text(wrong)).toMatch(/^HTTP\/1\.1 400 /);
    }
    await using client = await GatewayClient.connect(harness.url);
    expect(client.socket.readyState).toBe(1);
  });

  test('to another protocol is ignored, also by a client that breaks off', async () => {
    await using harness = await GatewayHarness.start();
    const { hostname, port, host } = new URL(harness.url);
    const offer = `GET /elsewhere HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    for (let round = 0; round < 20; round++) {
      const patient = connect(Number(port), hostname);
      patient.write(offer);
      expect(await text(patient)).toMatch(/^HTTP\/1\.1 404 /);
      const hasty = connect(Number(port), hostname);
      await once(hasty, 'connect');
      hasty.write(offer, () => hasty.resetAndDestroy());
      await once(hasty, 'close');
    }
    await using client = await GatewayClient.connect(harness.url);
    expect(client.socket.readyState).toBe(1);
  });
});
