import { SourceUnavailableError } from 'rostack-core';
import { expect, test } from 'vitest';
import type { Delivery } from '../../src/options/index.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';
import { wrappedSource } from '../support/wrapped-source.ts';

const NOTE = 'x'.repeat(1_000);
const records = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, height: index, note: NOTE }));

function statusOf(harness: GatewayHarness, name = 'stations') {
  const found = harness.gateway.status.resources.find(({ resource }) => resource === name);
  if (found === undefined) throw new Error(`no status of ${name}`);
  return found;
}

test('a gateway says how far it follows each log, and what it has handed out', async () => {
  await using harness = await GatewayHarness.start({ gateway: { ringMaxChanges: 50 } });
  await harness.put('stations', ...records(20));
  expect(statusOf(harness)).toMatchObject({ behindMs: undefined, oldestPosition: undefined, events: 0 });
  await using one = await harness.client();
  await using two = await harness.client();
  await one.subscribe('s', 'stations');
  await two.subscribe('few', 'stations', { filter: { '/height': { lt: 10 } } });
  expect(statusOf(harness)).toMatchObject({ position: 20, oldestPosition: 20, subscriptions: 2 });
  await harness.put('stations', ...records(40).slice(20));
  await harness.remove('stations', 'r0');
  await one.until(() => one.received.length > 22);
  await two.until(() => two.received.length > 2);
  const status = statusOf(harness);
  expect(status).toMatchObject({ position: 41, oldestPosition: 41, changes: 21, events: 22 });
  expect(status.behindMs).toBeLessThan(5_000);
  expect(statusOf(harness, 'alerts')).toMatchObject({ subscriptions: 0, changes: 0 });
});

test('a client that does not read is counted as paused, and its place as the oldest', async () => {
  await using harness = await GatewayHarness.start();
  await using stalled = await harness.client();
  await stalled.subscribe('s', 'stations');
  stalled.socket.pause();
  const count = 12_000;
  for (let written = 0; written < count; written += 500) {
    await harness.put('stations', ...records(written + 500).slice(written));
  }
  await expect.poll(() => harness.gateway.status.pausedConnections).toBe(1);
  await expect.poll(() => statusOf(harness).position).toBe(count);
  expect(statusOf(harness).oldestPosition).toBeLessThan(count);
  stalled.socket.resume();
  await expect.poll(() => statusOf(harness).oldestPosition, { timeout: 20_000 }).toBe(count);
  const { ringHits, ringMisses, events } = statusOf(harness);
  expect(harness.gateway.status.pausedConnections).toBe(0);
  expect(events).toBe(count);
  expect(ringHits).toBeGreaterThan(0);
  expect(ringMisses).toBeGreaterThan(0);
});

test('a gateway whose source fails is behind, and no longer when it answers again', async () => {
  let isDown = false;
  await using harness = await GatewayHarness.start({
    gateway: { minPollMs: 10, maxPollMs: 20 },
    wrapSource: (source) =>
      wrappedSource(() => source, {
        read: (after, limit, tag) =>
          isDown ? Promise.reject(new SourceUnavailableError('down')) : source.read(after, limit, tag),
      }),
  });
  await using client = await harness.client();
  await client.subscribe('s', 'stations');
  isDown = true;
  await expect.poll(() => statusOf(harness).behindMs).toBeGreaterThan(300);
  isDown = false;
  await expect.poll(() => statusOf(harness).behindMs).toBeLessThan(200);
});

test('each change is told once it was written to all live subscriptions, with its age, and not to those of a replay', async () => {
  const deliveries: Delivery[] = [];
  const start = Date.now();
  await using harness = await GatewayHarness.start({
    gateway: { hooks: { onDelivered: (delivery) => deliveries.push(delivery) } },
  });
  await harness.put('stations', ...records(1));
  await using one = await harness.client();
  await using two = await harness.client();
  await one.subscribe('s', 'stations');
  await two.subscribe('few', 'stations', { filter: { '/height': { lt: 2 } } });
  await harness.put('stations', ...records(4).slice(1));
  await one.until(() => one.events.length === 3);
  expect(deliveries).toMatchObject([
    { resource: 'stations', position: 2, events: 2 },
    { resource: 'stations', position: 3, events: 1 },
    { resource: 'stations', position: 4, events: 1 },
  ]);
  for (const { ageMs } of deliveries) {
    expect(ageMs).toBeGreaterThanOrEqual(0);
    expect(ageMs).toBeLessThanOrEqual(Date.now() - start);
  }
  await using late = await harness.client();
  await late.subscribe('again', 'stations', { cursor: one.events[0]?.cursor });
  await late.until(() => late.events.length === 2);
  expect(deliveries).toHaveLength(3);
});

/** Counts the timers that are set. */
class CountedClock extends ShiftedClock {
  readonly timers = new Set<symbol>();

  override after(delayMs: number, callback: () => void): () => void {
    const timer = Symbol('timer');
    this.timers.add(timer);
    const cancel = super.after(delayMs, () => {
      this.timers.delete(timer);
      callback();
    });
    return () => {
      this.timers.delete(timer);
      cancel();
    };
  }
}

test('a gateway to which nobody is connected has nothing to do', async () => {
  const clock = new CountedClock();
  await using harness = await GatewayHarness.start({ gateway: { clock } });
  expect(clock.timers.size).toBe(0);
  for (const round of [1, 2]) {
    await using one = await harness.client();
    await using two = await harness.client();
    expect(clock.timers.size, `round ${round}`).toBe(1);
    one.socket.close();
    await one.closed;
    expect(clock.timers.size).toBe(1);
    two.socket.close();
    await expect.poll(() => clock.timers.size).toBe(0);
  }
});
