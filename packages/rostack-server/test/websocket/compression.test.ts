import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

const FIN_TEXT = 0x81;
const FIN_TEXT_COMPRESSED = 0xc1;

/** Connects offering permessage-deflate, and keeps the first byte of each chunk that comes from the gateway. */
async function connectWatched(harness: GatewayHarness) {
  const chunks: Buffer[] = [];
  const { hostname, port } = new URL(harness.url);
  const client = await GatewayClient.connect(harness.url, {
    perMessageDeflate: true,
    createConnection: () => {
      const socket = connect(Number(port), hostname);
      socket.on('data', (chunk) => chunks.push(chunk));
      return socket;
    },
  });
  return { client, firstByteOfLastChunk: () => chunks.at(-1)?.[0] };
}

describe('permessage-deflate', () => {
  test('compresses large events when configured, never the answer to authentication', async () => {
    await using harness = await GatewayHarness.start({ extensions: ['permessage-deflate'] });
    const { client, firstByteOfLastChunk } = await connectWatched(harness);
    await using _client = client;
    expect(client.socket.extensions).toContain('permessage-deflate');
    await client.authenticate(harness.token().token);
    expect(firstByteOfLastChunk()).toBe(FIN_TEXT);
    await client.subscribe('s', 'stations');
    await harness.put('stations', { id: 'small' });
    expect(await client.next('event')).toMatchObject({ resource_id: 'small' });
    expect(firstByteOfLastChunk()).toBe(FIN_TEXT);
    const note = 'long '.repeat(1_000);
    await harness.put('stations', { id: 'large', note });
    expect(await client.next('event')).toMatchObject({ data: { id: 'large', note } });
    expect(firstByteOfLastChunk()).toBe(FIN_TEXT_COMPRESSED);
  });

  test('is not negotiated unless discovery lists it', async () => {
    await using harness = await GatewayHarness.start();
    const { client } = await connectWatched(harness);
    await using _client = client;
    expect(client.socket.extensions).toBe('');
    await client.authenticate(harness.token().token);
  });
});
