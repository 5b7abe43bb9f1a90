import { describe, expect, test } from 'vitest';
import { GatewayHarness } from '../support/gateway-harness.ts';

const NOTE = 'x'.repeat(1_000);
const BATCH = 500;

/** Writes changes in batches, looking at the gateway after each. */
async function write(harness: GatewayHarness, count: number, look: () => void = () => {}): Promise<void> {
  for (let written = 0; written < count; written += BATCH) {
    const records = Array.from({ length: BATCH }, (_, index) => ({
      id: `r${written + index}`,
      height: index % 10,
      note: NOTE,
    }));
    await harness.put('stations', ...records);
    await new Promise((resolve) => setImmediate(resolve));
    look();
  }
}

describe('a client that does not read', () => {
  test('costs little, holds up nobody, and misses nothing once it reads again', async () => {
    const count = 12_000;
    await using harness = await GatewayHarness.start();
    await using stalled = await harness.client();
    await using reader = await harness.client();
    await stalled.subscribe('s', 'stations');
    await stalled.subscribe('few', 'stations', { filter: { '/height': { eq: 3 } } });
    await reader.subscribe('s', 'stations');
    stalled.socket.pause();
    let mostBytes = 0;
    await write(harness, count, () => {
      mostBytes = Math.max(mostBytes, harness.gateway.status.bufferedBytes);
    });
    await reader.until(() => reader.received.length > count);
    mostBytes = Math.max(mostBytes, harness.gateway.status.bufferedBytes);
    await expect.poll(() => harness.gateway.status.bufferedBytes).toBeGreaterThan(65_536);
    expect(mostBytes).toBeLessThan(524_288);
    expect(stalled.received.length).toBeLessThan(count);

    stalled.socket.resume();
    const eventsOf = (client: typeof stalled, id = 's') =>
      client.events.filter((event) => event.subscription_id === id).map((event) => event.resource_id);
    await stalled.until(() => eventsOf(stalled).length >= count);
    expect(eventsOf(stalled)).toEqual(eventsOf(reader));
    await stalled.until(() => eventsOf(stalled, 'few').length >= count / 10);
    expect(eventsOf(stalled, 'few')).toEqual(eventsOf(reader).filter((id) => id.endsWith('3')));
    await expect.poll(() => harness.gateway.status.bufferedBytes).toBe(0);
    await harness.put('stations', { id: 'last' });
    await stalled.until(() => eventsOf(stalled).length > count);
    expect(eventsOf(stalled).at(-1)).toBe('last');
  });

  test('is told to take a new snapshot when the log has moved on without it, for that resource alone', async () => {
    const count = 15_000;
    await using harness = await GatewayHarness.start({
      retention: { maxChanges: 100, intervalMs: 0 },
      gateway: { ringMaxChanges: 64 },
    });
    await using client = await harness.client();
    await client.subscribe('s', 'stations');
    await client.subscribe('a', 'alerts');
    client.socket.pause();
    await write(harness, count);
    await harness.store.prune();
    client.socket.resume();
    await client.until(() => client.errors.length > 0);
    expect(client.errors).toMatchObject([{ code: 'cursor_unavailable', subscription_id: 's' }]);
    await harness.put('alerts', { id: 'still here' });
    await client.until(() => client.events.at(-1)?.subscription_id === 'a');
    expect(client.received.at(-1)).toMatchObject({ subscription_id: 'a', resource_id: 'still here' });
  });

  test('and goes away gives back what waited for it in the common budget', async () => {
    await using harness = await GatewayHarness.start();
    await using stalled = await harness.client();
    await stalled.subscribe('s', 'stations');
    stalled.socket.pause();
    await write(harness, 12_000);
    await expect.poll(() => harness.gateway.status.bufferedBytes).toBeGreaterThan(65_536);
    stalled.socket.terminate();
    await expect.poll(() => harness.gateway.status.connections).toBe(0);
    expect(harness.gateway.status.bufferedBytes).toBe(0);
  });

  test('what it asks is not read either while its answers wait, and all of it is answered once it reads', async () => {
    const count = 20_000;
    // What the system keeps for a socket is some megabytes, which has to be filled first.
    const idOf = (sent: number) => `${sent}`.padStart(500, '0');
    const rate = { burst: 2 * count, perSecond: 1 };
    await using harness = await GatewayHarness.start({
      gateway: {
        limits: { messageRate: rate, subscribeRate: rate, pauseAboveBytes: 65_536, resumeBelowBytes: 16_384 },
      },
    });
    await using stalled = await harness.client();
    await using other = await harness.client();
    stalled.socket.pause();
    for (let sent = 0; sent < count; sent += 1)
      stalled.send({ type: 'subscribe', subscription_id: idOf(sent), resource: 'nothing' });
    const bytes = () => harness.gateway.status.bufferedBytes;
    await expect.poll(bytes).toBeGreaterThan(2 * 65_536);
    for (let round = 0; round < 200; round += 1) {
      other.send({ type: 'ping', id: `${round}` });
      await other.next('pong');
      // What was read at once before it was paused is answered.
      expect(bytes()).toBeLessThan(1_048_576);
    }
    stalled.socket.resume();
    await stalled.until(() => stalled.errors.length === count);
    expect(stalled.errors.map((each) => each.subscription_id)).toEqual(
      Array.from({ length: count }, (_, sent) => idOf(sent)),
    );
  });

  test('is served no more than the common budget allows, and gets the rest later', async () => {
    const count = 10_000;
    await using harness = await GatewayHarness.start({ gateway: { limits: { maxBufferedBytes: 300_000 } } });
    const clients = await Promise.all([harness.client(), harness.client(), harness.client()]);
    for (const client of clients) {
      await client.subscribe('s', 'stations');
      client.socket.pause();
    }
    let mostBytes = 0;
    await write(harness, count, () => {
      mostBytes = Math.max(mostBytes, harness.gateway.status.bufferedBytes);
    });
    expect(mostBytes).toBeLessThan(3 * 262_144);
    for (const client of clients) client.socket.resume();
    for (const client of clients) await client.until(() => client.received.length > count);
    expect(clients.map(({ received }) => received.length)).toEqual(clients.map(() => count + 2));
    for (const client of clients) await client[Symbol.asyncDispose]();
  });
});
