import { connect } from 'node:net';
import { BROWSER_START_MS, launchBrowser } from 'test-support/launch-browser';
import { bytesOf, createRandom } from 'test-support/random';
import { describe, expect, test } from 'vitest';
import type { ClientOptions } from 'ws';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

const FIN_TEXT = 0x81;
const FIN_TEXT_COMPRESSED = 0xc1;
/** `perMessageDeflate` of `ws` clients: what they offer. */
type Offer = ClientOptions['perMessageDeflate'];

const start = () => GatewayHarness.start({ extensions: ['permessage-deflate'] });

/** Connects offering permessage-deflate, and keeps the first byte of each chunk that comes from the gateway. */
async function connectWatched(harness: GatewayHarness, perMessageDeflate: Offer = true) {
  const chunks: Buffer[] = [];
  const { hostname, port } = new URL(harness.url);
  const client = await GatewayClient.connect(harness.url, {
    perMessageDeflate,
    createConnection: () => {
      const socket = connect(Number(port), hostname);
      socket.on('data', (chunk) => chunks.push(chunk));
      return socket;
    },
  });
  return { client, firstByteOfLastChunk: () => chunks.at(-1)?.[0] };
}

const random = createRandom(20_261_123).number;
/** Texts that deflate well, hardly and not at all, around the sizes where frames and windows change. */
const NOTES: readonly string[] = [
  '',
  'low '.repeat(100),
  '관측소의 수위가 낮습니다. '.repeat(40),
  ...[1_000, 16_000, 32_768, 65_000, 65_535, 90_000].map((bytes) => 'long '.repeat(bytes / 5)),
  ...[1_000, 16_000, 49_152].map((bytes) => bytesOf(random, bytes).toString('base64')),
  'end',
];

/** A gateway with an event for each of the notes, and what a client without compression gets of them. */
async function startWithHistory(encoding: 'json' | 'compact-json') {
  const harness = await start();
  const { token } = harness.token();
  const authenticate = { type: 'authenticate', method: 'shared_token', token };
  const subscribe = {
    type: 'subscribe',
    subscription_id: '구독 1',
    resource: 'stations',
    event_encoding: encoding,
  };
  const plain = await GatewayClient.connect(harness.url);
  plain.send(authenticate);
  await plain.next('authenticated');
  plain.send({ ...subscribe, event_encoding: 'json' });
  await plain.next('subscribed');
  await harness.put('stations', { id: 'first' });
  const { cursor } = await plain.next('event');
  for (const [index, note] of NOTES.entries()) await harness.put('stations', { id: `${index}`, note });
  await plain[Symbol.asyncDispose]();
  const messages = [authenticate, { ...subscribe, cursor }].map((message) => JSON.stringify(message));
  const expected = await replay(harness, messages, false);
  return { harness, messages, expected };
}

/** All that one `ws` client gets until its replay is complete. */
async function replay(
  harness: GatewayHarness,
  messages: readonly string[],
  offer: Offer,
): Promise<readonly string[]> {
  await using client = await GatewayClient.connect(harness.url, { perMessageDeflate: offer });
  for (const message of messages) client.socket.send(message);
  await client.until(() => client.frames.some((text) => text.includes('replay_complete')));
  return client.frames;
}

/** The same with the WebSocket of browsers and of Node. Runs in pages too, so it is complete in itself. */
async function replayByStandard([url, ...messages]: readonly string[]) {
  const socket = new WebSocket(url ?? '', ['rostack.v1']);
  const texts: string[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => {
      for (const message of messages) socket.send(message);
    });
    socket.addEventListener('message', ({ data }) => {
      texts.push(String(data));
      if (String(data).includes('replay_complete')) resolve();
    });
    socket.addEventListener('close', ({ code }) => reject(new Error(`closed with ${code}`)));
  });
  const { extensions } = socket;
  socket.close();
  return { extensions, texts };
}

describe('permessage-deflate', () => {
  test('compresses large events when configured, never the answer to authentication', async () => {
    await using harness = await start();
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

  test('leaves what is for one client alone as it is', async () => {
    await using harness = await start();
    const { client, firstByteOfLastChunk } = await connectWatched(harness);
    await using _client = client;
    await client.authenticate(harness.token().token);
    const id = 'long '.repeat(1_000);
    client.send({ type: 'ping', id });
    expect(await client.next('pong')).toEqual({ type: 'pong', id });
    expect(firstByteOfLastChunk()).toBe(FIN_TEXT);
  });

  test('is not negotiated unless discovery lists it', async () => {
    await using harness = await GatewayHarness.start();
    const { client } = await connectWatched(harness);
    await using _client = client;
    expect(client.socket.extensions).toBe('');
    await client.authenticate(harness.token().token);
  });

  test('refers back no further than a client asked for', async () => {
    await using harness = await start();
    const { client, firstByteOfLastChunk } = await connectWatched(harness, { serverMaxWindowBits: 10 });
    await using _client = client;
    await client.authenticate(harness.token().token);
    await client.subscribe('s', 'stations');
    // Repeats itself after 1,200 bytes, which is more than 2 to the power of 10.
    const part = bytesOf(random, 900).toString('base64');
    for (const [note, firstByte] of [
      ['low '.repeat(150), FIN_TEXT_COMPRESSED],
      [part + part, FIN_TEXT],
    ] as const) {
      await harness.put('stations', { id: 'a', note });
      expect(await client.next('event')).toMatchObject({ data: { note } });
      expect(firstByteOfLastChunk()).toBe(firstByte);
    }
  });

  test('costs a client that does not read no events, and no more memory than without', async () => {
    await using harness = await start();
    const { client } = await connectWatched(harness);
    await using _client = client;
    await client.authenticate(harness.token().token);
    await client.subscribe('s', 'stations');
    client.socket.pause();
    const count = 800;
    const note = bytesOf(random, 18_000).toString('base64');
    for (let index = 0; index < count; index += 50) {
      const records = Array.from({ length: 50 }, (_, at) => ({ id: `${index + at}`, note: note.slice(at) }));
      await harness.put('stations', ...records);
    }
    await expect.poll(() => harness.gateway.status.pausedConnections).toBe(1);
    expect(harness.gateway.status.bufferedBytes).toBeLessThan(524_288);
    client.socket.resume();
    await client.until(() => client.events.length === count);
    expect(client.events.map((event) => event.resource_id)).toEqual(
      Array.from({ length: count }, (_, at) => `${at}`),
    );
    await expect.poll(() => harness.gateway.status.bufferedBytes).toBe(0);
  });
});

describe.for(['json', 'compact-json'] as const)(
  'each message in %s is what it is without compression',
  (encoding) => {
    test.for<Offer>([true, { serverNoContextTakeover: true }, { serverMaxWindowBits: 9 }, { threshold: 0 }])(
      'for a `ws` client that offers %o',
      async (offer) => {
        const { harness, messages, expected } = await startWithHistory(encoding);
        await using _harness = harness;
        expect(expected.length).toBe(NOTES.length + 3);
        expect(await replay(harness, messages, offer)).toEqual(expected);
      },
    );

    test('for the WebSocket of Node, and of Chromium', { timeout: BROWSER_START_MS }, async () => {
      const { harness, messages, expected } = await startWithHistory(encoding);
      await using _harness = harness;
      const { extensions, texts } = await replayByStandard([harness.url, ...messages]);
      expect(extensions).toContain('permessage-deflate');
      expect(texts).toEqual(expected);
      await using browser = await launchBrowser();
      const tab = await browser.newPage();
      await tab.goto(harness.url.replace('ws:', 'http:'));
      const inChromium = await tab.evaluate(replayByStandard, [harness.url, ...messages]);
      expect(inChromium.extensions).toContain('permessage-deflate');
      expect(inChromium.texts).toEqual(expected);
    });
  },
);
