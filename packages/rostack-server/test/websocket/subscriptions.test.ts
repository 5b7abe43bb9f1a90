import { decodeCompactEvent, encodeEventCursor, eventScopeTag } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { bindSource } from '../support/bind-source.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { GatewayHarness } from '../support/gateway-harness.ts';

describe('a filtered subscription', () => {
  test('sees records enter, change and leave its filter as create, update and delete', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    await client.subscribe('s', 'stations', { filter: { '/city': { eq: 'Seoul' } } });
    await harness.put('stations', { id: 'a', city: 'Busan' });
    await harness.put('stations', { id: 'a', city: 'Seoul' });
    await harness.put('stations', { id: 'a', city: 'Seoul', height: 2 });
    await harness.put('stations', { id: 'a', city: 'Busan', height: 3 });
    await harness.put('stations', { id: 'a', city: 'Jeju', height: 4 });
    await harness.remove('stations', 'a');
    await harness.put('stations', { id: 'b', city: 'Seoul' });
    await harness.remove('stations', 'b');
    const events = [];
    for (let count = 0; count < 5; count += 1) events.push(await client.next('event'));
    expect(events.map(({ event_type, data }) => [event_type, data])).toEqual([
      ['station.created', { id: 'a', city: 'Seoul' }],
      ['station.updated', { id: 'a', city: 'Seoul', height: 2 }],
      ['station.deleted', { id: 'a', city: 'Seoul', height: 2 }],
      ['station.created', { id: 'b', city: 'Seoul' }],
      ['station.deleted', { id: 'b', city: 'Seoul' }],
    ]);
  });

  test('replays by the same transitions as it sees live', async () => {
    await using harness = await GatewayHarness.start();
    await using live = await harness.client({ subject: 'p' });
    await live.subscribe('all', 'stations');
    await harness.put('stations', { id: 'start' });
    const { cursor } = await live.next('event');
    const filter = { '/height': { gte: 2 } };
    await live.subscribe('s', 'stations', { filter });
    live.send({ type: 'unsubscribe', subscription_id: 'all' });
    live.send({ type: 'ping', id: 'unsubscribed' });
    await live.next('pong');
    for (const height of [1, 2, 3, 1, 5]) await harness.put('stations', { id: 'a', height });
    const seen = [];
    for (let count = 0; count < 4; count += 1) seen.push(await live.next('event'));

    await using late = await harness.client({ subject: 'p' });
    await late.subscribe('s', 'stations', { filter, cursor });
    const replayed = [];
    for (let count = 0; count < 4; count += 1) replayed.push(await late.next('event'));
    await late.next('replay_complete');
    expect(replayed).toEqual(seen);
    expect(seen.map(({ event_type }) => event_type)).toEqual([
      'station.created',
      'station.updated',
      'station.deleted',
      'station.created',
    ]);
  });
});

test.each([
  ['all of a resource', {}],
  ['what one value selects', { filter: { '/city': { eq: 'Seoul' } } }],
  ['what no value selects', { filter: { '/city': { ne: 'Busan' } } }],
])('a subscription to %s gets events though nobody had the like for a while', async (_what, options) => {
  await using harness = await GatewayHarness.start();
  await using client = await harness.client();
  for (const id of ['a', 'b', 'c']) {
    await client.subscribe('s', 'stations', options);
    await harness.put('stations', { id, city: 'Seoul' });
    expect(await client.next('event')).toMatchObject({ resource_id: id });
    client.send({ type: 'unsubscribe', subscription_id: 's' });
    client.send({ type: 'ping', id });
    await client.next('pong');
  }
});

describe('event types', () => {
  test('leave out what was not asked for', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    await client.subscribe('s', 'alerts', { event_types: ['alert.escalated', 'alert.raised'] });
    const change = (height: number, event: string) =>
      harness.store.apply([{ resource: 'alerts', op: 'put', record: { id: 'a', height }, event }]);
    await change(1, 'alert.raised');
    await change(2, 'alert.changed');
    await change(3, 'alert.escalated');
    expect(await client.next('event')).toMatchObject({ event_type: 'alert.raised' });
    expect(await client.next('event')).toMatchObject({ event_type: 'alert.escalated', data: { height: 3 } });
  });

  test('that a filter derives are left out the same way', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    await client.subscribe('s', 'stations', {
      filter: { '/city': { eq: 'Seoul' } },
      event_types: ['station.deleted'],
    });
    await harness.put('stations', { id: 'a', city: 'Seoul' });
    await harness.put('stations', { id: 'a', city: 'Busan' });
    expect(await client.next('event')).toMatchObject({ event_type: 'station.deleted', resource_id: 'a' });
  });
});

describe('the compact encoding', () => {
  test('carries the same events as the plain one', async () => {
    await using harness = await GatewayHarness.start();
    await using plain = await harness.client({ subject: 'p' });
    await using compact = await harness.client({ subject: 'p' });
    await plain.subscribe('s', 'stations');
    expect(await compact.subscribe('s', 'stations', { event_encoding: 'compact-json' })).toMatchObject({
      event_encoding: 'compact-json',
    });
    await harness.put('stations', { id: 'a', note: '"quoted" 한국어 🛰' });
    await harness.remove('stations', 'a');
    for (let count = 0; count < 2; count += 1) {
      const tuple = await compact.take();
      expect(Array.isArray(tuple) && decodeCompactEvent(tuple)).toEqual(await plain.next('event'));
    }
  });
});

test.each(['cbor', ''])(
  'the encoding "%s", which nobody knows, is unsupported, and the session goes on',
  async (name) => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    client.send({ type: 'subscribe', subscription_id: 's', resource: 'stations', event_encoding: name });
    expect(await client.next('error')).toMatchObject({
      code: 'unsupported_encoding',
      subscription_id: 's',
      message: 'Advertised encodings: json, compact-json.',
    });
    expect(await client.subscribe('s', 'stations')).toMatchObject({ event_encoding: 'json' });
  },
);

describe('cursors', () => {
  test('of another principal or resource are told apart from those that cannot be read', async () => {
    await using harness = await GatewayHarness.start();
    await using owner = await harness.client({ subject: 'p' });
    await owner.subscribe('s', 'stations');
    await harness.put('stations', { id: 'a' });
    const { cursor } = await owner.next('event');
    await using other = await harness.client({ subject: 'q' });
    const ask = async (resource: string, text: string) => {
      other.send({ type: 'subscribe', subscription_id: 'x', resource, cursor: text });
      return (await other.next('error')).code;
    };
    expect(await ask('stations', cursor)).toBe('cursor_scope_mismatch');
    expect(await ask('stations', 'nonsense')).toBe('cursor_unavailable');
    owner.send({ type: 'subscribe', subscription_id: 'x', resource: 'alerts', cursor });
    expect(await owner.next('error')).toMatchObject({ code: 'cursor_scope_mismatch' });
  });

  test('of another epoch, of another history, beyond the head and below the floor cannot be used', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client({ subject: 'p' });
    await client.subscribe('s', 'stations');
    await harness.put('stations', { id: 'a' }, { id: 'b' }, { id: 'c' });
    await client.next('event');
    await client.next('event');
    const { cursor } = await client.next('event');
    const [version, scope, epoch, , tag] = cursor.split('.');
    const ask = async (text: string) => {
      client.send({ type: 'subscribe', subscription_id: 'x', resource: 'stations', cursor: text });
      const answer = await client.take();
      return Array.isArray(answer) ? undefined : answer;
    };
    expect(await ask(`${version}.${scope}.${epoch}.99.${tag}`)).toMatchObject({ code: 'cursor_unavailable' });
    expect(await ask(`${version}.${scope}.otherEpoch00.3.${tag}`)).toMatchObject({
      code: 'cursor_unavailable',
    });
    expect(await ask(`${version}.${scope}.${epoch}.3.otherTag`)).toMatchObject({
      code: 'cursor_unavailable',
    });
    expect(await ask(`${version}.${scope}.${epoch}.3`)).toMatchObject({ code: 'cursor_unavailable' });
    expect(await ask(cursor)).toMatchObject({ type: 'subscribed', replaying: true });
    expect(await client.next('replay_complete')).toMatchObject({ subscription_id: 'x' });
  });
});

describe('events whose data breaks its schema', () => {
  test('are sent without it and raise one alarm; the resource goes on', async () => {
    await using harness = await GatewayHarness.start();
    await using client = await harness.client();
    await using compact = await harness.client();
    await client.subscribe('s', 'alerts');
    await compact.subscribe('s', 'alerts', { event_encoding: 'compact-json' });
    await harness.put(
      'alerts',
      { id: 'low', height: 1 },
      { id: 'high', height: 1_000 },
      { id: 'next', height: 2 },
    );
    const events = [await client.next('event'), await client.next('event'), await client.next('event')];
    expect(events.map(({ resource_id, data }) => [resource_id, data])).toEqual([
      ['low', { id: 'low', height: 1 }],
      ['high', undefined],
      ['next', { id: 'next', height: 2 }],
    ]);
    await compact.until(() => compact.received.length >= 5);
    expect(harness.alarms).toEqual([
      {
        kind: 'event_quarantined',
        resource: 'alerts',
        eventType: 'alert.raised',
        resourceId: 'high',
        position: 2,
        faults: ['/height: must be <= 100'],
      },
    ]);
  });
});

test('events of every size arrive whole and in order, also when many leave in one write', async () => {
  const lengths = [0, 60, 125, 16_000, 16_384, 20, 65_400, 65_600, 1, 200_000, 16_385, 5];
  const records = lengths.map((length, index) => ({
    id: `r${index}`,
    note: `${index}${'é'.repeat(length)}`,
  }));
  await using harness = await GatewayHarness.start();
  await using plain = await harness.client();
  await using compact = await harness.client();
  for (const id of ['s', 't']) await plain.subscribe(id, 'stations');
  await compact.subscribe('s', 'stations', { event_encoding: 'compact-json' });
  await harness.put('stations', ...records);
  await plain.until(() => plain.events.length === 2 * records.length);
  for (const id of ['s', 't']) {
    const events = plain.events.filter(({ subscription_id }) => subscription_id === id);
    expect(events.map(({ data }) => data)).toEqual(records);
  }
  for (const record of records) {
    const tuple = await compact.take();
    expect(Array.isArray(tuple) && decodeCompactEvent(tuple).data).toEqual(record);
  }
});

test('a cursor above the head that a gateway knows is looked for in the database before it is refused', async () => {
  // Nobody tells this gateway of changes, and it does not look by itself.
  await using harness = await GatewayHarness.start({
    gateway: { minPollMs: 60_000, maxPollMs: 60_000 },
    wrapSource: (source) => ({ ...bindSource(source), watch: () => () => {} }),
  });
  await using live = await harness.client({ subject: 'p' });
  await live.subscribe('s', 'stations');
  await harness.put('stations', { id: 'a' }, { id: 'b' });
  const { epoch, position, tag } = await harness.store.source('stations').head();
  await using client = await GatewayClient.connect(harness.url);
  const { principal_id: principalId } = await client.authenticate(harness.token({ subject: 'p' }).token);
  const scope = { implementationId: 'observatory', apiVersion: '1', resource: 'stations', principalId };
  const cursor = encodeEventCursor(eventScopeTag(scope, new Uint8Array(32).fill(7)), {
    epoch,
    position,
    tag,
  });
  expect(await client.subscribe('s', 'stations', { cursor })).toMatchObject({ replaying: true });
  expect(await client.next('replay_complete')).toMatchObject({ subscription_id: 's' });
});
