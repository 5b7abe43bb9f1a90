import { describe, expect, test } from 'vitest';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';

/** How often the gateway looks at its timeouts. */
const TICK_MS = 100;

describe('draining', () => {
  test('spreads the clients, serves them until the timeout, closes with 4410 and takes nobody new', async () => {
    const draws = [0.75, 0.25];
    const clock = new ShiftedClock();
    await using harness = await GatewayHarness.start({
      gateway: { clock, random: () => draws.shift() ?? 0 },
    });
    await using one = await harness.client();
    await using two = await harness.client();
    await one.subscribe('s', 'stations');
    const drained = harness.gateway.drain({
      reason: 'new version',
      drainTimeoutMs: 600_000,
      reconnectSpreadMs: 400_000,
      gatewayUrl: 'wss://other.example/gateway',
    });
    const goAway = {
      type: 'go_away',
      reason: 'new version',
      drain_timeout_ms: 600_000,
      gateway_url: 'wss://other.example/gateway',
    };
    expect(await one.next('go_away')).toEqual({ ...goAway, reconnect_after_ms: 300_000 });
    expect(await two.next('go_away')).toEqual({ ...goAway, reconnect_after_ms: 100_000 });
    await expect(GatewayClient.connect(harness.url)).rejects.toThrow('HTTP 503');
    await harness.put('stations', { id: 'a' });
    expect(await one.next('event')).toMatchObject({ resource_id: 'a' });
    clock.pass(600_000);
    expect(await one.closed).toEqual({ code: 4410, reason: 'drained' });
    expect(await two.closed).toMatchObject({ code: 4410 });
    await drained;
    expect(harness.gateway.status).toMatchObject({ connections: 0, isDraining: true });
  });

  test('ends at once when nobody is connected, and as soon as everybody has gone', async () => {
    await using empty = await GatewayHarness.start();
    await empty.gateway.drain();
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    const drained = harness.gateway.drain();
    await client.next('go_away');
    client.socket.close();
    await drained;
    expect(harness.gateway.status.connections).toBe(0);
  });
});

const HEARTBEAT = { heartbeatIntervalMs: 30_000, heartbeatTimeoutMs: 10_000 };

describe('the heartbeat', () => {
  test('closes with 4408 when a ping gets no pong', async () => {
    const clock = new ShiftedClock();
    await using harness = await GatewayHarness.start({ ...HEARTBEAT, gateway: { clock } });
    await using silent = await harness.client();
    await using alive = await harness.client();
    silent.stopAnswering();
    clock.pass(HEARTBEAT.heartbeatIntervalMs);
    const ping = await silent.next('ping');
    silent.send({ type: 'pong', id: `not ${ping.id}` });
    // The gateway's ping is before the first answer, so the pong to it is before the second question.
    for (const id of ['first', 'second']) {
      alive.send({ type: 'ping', id });
      expect(await alive.next('pong')).toEqual({ type: 'pong', id });
    }
    clock.pass(HEARTBEAT.heartbeatTimeoutMs);
    expect(await silent.closed).toEqual({ code: 4408, reason: 'heartbeat timeout' });
    expect(alive.socket.readyState).toBe(1);
    alive.send({ type: 'ping', id: 'still here' });
    expect(await alive.next('pong')).toEqual({ type: 'pong', id: 'still here' });
  });

  test('takes a pong that came while the process was held up', async () => {
    const clock = new ShiftedClock();
    await using harness = await GatewayHarness.start({ ...HEARTBEAT, gateway: { clock } });
    await using client = await harness.client();
    client.stopAnswering();
    clock.pass(HEARTBEAT.heartbeatIntervalMs);
    const { id } = await client.next('ping');
    client.send({ type: 'pong', id });
    clock.pass(HEARTBEAT.heartbeatTimeoutMs);
    holdUp(2 * TICK_MS);
    client.send({ type: 'ping', id: 'still here' });
    expect(await client.next('pong')).toEqual({ type: 'pong', id: 'still here' });
  });
});

/** Nothing runs in this process meanwhile; what arrives stays in its sockets. */
function holdUp(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}
