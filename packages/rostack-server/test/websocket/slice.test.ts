import { describe, expect, test } from 'vitest';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

describe('a plain client of the gateway', () => {
  test('authenticates, subscribes and receives events as they are written', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await GatewayClient.connect(harness.url);
    const { token } = harness.token({ subject: 'reader' });

    const authenticated = await client.authenticate(token);
    expect(authenticated).toMatchObject({
      method: 'shared_token',
      protocol_version: 'rostack_v1',
      api_version: '1',
    });
    expect(authenticated.principal_id).not.toContain('reader');

    const subscribed = await client.subscribe('s1', 'stations');
    expect(subscribed).toEqual({
      type: 'subscribed',
      subscription_id: 's1',
      event_encoding: 'json',
      replaying: false,
    });

    await harness.put('stations', { id: 'a', city: 'Seoul', height: 3 });
    await harness.put('stations', { id: 'a', city: 'Seoul', height: 4 });
    await harness.remove('stations', 'a');
    const events = [await client.next('event'), await client.next('event'), await client.next('event')];
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'station.created',
      'station.updated',
      'station.deleted',
    ]);
    expect(events.map(({ data }) => data)).toEqual([
      { id: 'a', city: 'Seoul', height: 3 },
      { id: 'a', city: 'Seoul', height: 4 },
      { id: 'a', city: 'Seoul', height: 4 },
    ]);
    expect(
      events.every(({ subscription_id, resource_id }) => subscription_id === 's1' && resource_id === 'a'),
    ).toBe(true);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(3);
    const stored = await harness.store.source('stations').read(0, 10);
    expect(events.map(({ event_id }) => event_id)).toEqual(stored.map(({ eventId }) => eventId));
    expect(events.map(({ resource_version }) => resource_version)).toEqual(
      stored.map(({ version }) => version),
    );
    expect(events.map(({ occurred_at }) => Date.parse(occurred_at))).toEqual(
      stored.map(({ occurredAtMs }) => occurredAtMs),
    );
  });

  test('replays from a cursor, says when that is done, then goes on live', async () => {
    await using harness = await GatewayHarness.start();
    await using first = await harness.client({ subject: 'reader' });
    await first.subscribe('s1', 'stations');
    await harness.put('stations', { id: 'a' });
    const { cursor } = await first.next('event');
    await harness.put('stations', { id: 'b' }, { id: 'c' });

    await using second = await harness.client({ subject: 'reader' });
    expect(await second.subscribe('again', 'stations', { cursor })).toMatchObject({ replaying: true });
    expect((await second.next('event')).resource_id).toBe('b');
    expect((await second.next('event')).resource_id).toBe('c');
    expect(await second.next('replay_complete')).toEqual({
      type: 'replay_complete',
      subscription_id: 'again',
    });
    await harness.put('stations', { id: 'd' });
    expect((await second.next('event')).resource_id).toBe('d');
  });

  test('gets no more events of a subscription it has left', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    await client.subscribe('s1', 'stations');
    await client.subscribe('s2', 'stations');
    client.send({ type: 'unsubscribe', subscription_id: 's1' });
    client.send({ type: 'ping', id: 'p' });
    expect(await client.next('pong')).toEqual({ type: 'pong', id: 'p' });
    await harness.put('stations', { id: 'a' });
    expect(await client.next('event')).toMatchObject({ subscription_id: 's2' });
    client.send({ type: 'ping', id: 'q' });
    expect(await client.next('pong')).toEqual({ type: 'pong', id: 'q' });
  });
});

test('no live event overtakes a replay', async () => {
  await using harness = await GatewayHarness.start();
  await using first = await harness.client({ subject: 'reader' });
  await first.subscribe('s1', 'stations');
  await harness.put('stations', { id: 'start' });
  const { cursor } = await first.next('event');
  const note = 'x'.repeat(2_000);
  const ids = Array.from({ length: 3_000 }, (_, index) => `r${index}`);
  const write = (from: number, to: number) =>
    harness.put('stations', ...ids.slice(from, to).map((id) => ({ id, note })));
  await write(0, 2_000);
  await using second = await harness.client({ subject: 'reader' });
  const subscribed = second.subscribe('s1', 'stations', { cursor });
  for (let from = 2_000; from < 3_000; from += 50) {
    await write(from, from + 50);
    // The socket is read between the writes: the replay goes on.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await subscribed).toMatchObject({ replaying: true });
  await second.until(() => second.events.length === ids.length);
  expect(second.events.map(({ resource_id }) => resource_id)).toEqual(ids);
  const ends = second.received.flatMap((message, index) =>
    !Array.isArray(message) && message.type === 'replay_complete' ? [index] : [],
  );
  expect(ends).toHaveLength(1);
  // `authenticated` and `subscribed` come before the events.
  expect(ends[0]).toBeGreaterThanOrEqual(2 + 2_000);
});
