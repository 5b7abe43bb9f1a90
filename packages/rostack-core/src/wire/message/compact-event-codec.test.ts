import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import {
  type CompactEvent,
  decodeCompactEvent,
  type EventMessage,
  encodeCompactEvent,
  parseServerMessage,
  ServerMessageError,
} from '../../index.ts';

const event: EventMessage = {
  type: 'event',
  subscription_id: 's',
  event_id: 'e1',
  cursor: '1.tag.epoch.7',
  occurred_at: '2026-08-13T01:02:03.004Z',
  event_type: 'station.changed',
  resource_id: 'r',
  resource_version: 'v',
};
const head = ['e', 's', 'e1', '1.tag.epoch.7', 1_786_582_923_004, 'station.changed', 'r', 'v'] as const;

test.for<[Partial<EventMessage>, CompactEvent]>([
  [{}, [...head]],
  [{ detail_url: 'https://example.org/r' }, [...head, 'https://example.org/r']],
  [{ data: { a: 1 } }, [...head, null, { a: 1 }]],
  [{ data: null }, [...head, null, null]],
  [{ detail_url: 'https://example.org/r', data: 0 }, [...head, 'https://example.org/r', 0]],
])('%j and back', ([members, compact]) => {
  const message = { ...event, ...members };
  expect(encodeCompactEvent(message)).toEqual(compact);
  expect(decodeCompactEvent(compact)).toEqual(message);
  expect(parseServerMessage(JSON.stringify(compact))).toEqual(compact);
});

test('a URL that is null says nothing', () => {
  expect(decodeCompactEvent([...head, null])).toEqual(event);
});

test.for([
  ['2026-08-13t10:02:03.0049999+09:00', '2026-08-13T01:02:03.004Z'],
  ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
] as const)('an instant written %s becomes %s', ([given, read]) => {
  const message = { ...event, occurred_at: given };
  expect(parseServerMessage(JSON.stringify(message))).toEqual(message);
  expect(decodeCompactEvent(encodeCompactEvent(message)).occurred_at).toBe(read);
});

test('instants that one of the forms cannot say are refused', () => {
  const beyond = [...head.slice(0, 4), Number.MAX_SAFE_INTEGER, ...head.slice(5)] as unknown as CompactEvent;
  expect(parseServerMessage(JSON.stringify(beyond))).toEqual(beyond);
  for (const action of [
    () => decodeCompactEvent(beyond),
    () => encodeCompactEvent({ ...event, occurred_at: '1969-12-31T23:59:59Z' }),
    () => encodeCompactEvent({ ...event, occurred_at: '9999-12-31T23:59:59-01:00' }),
  ]) {
    expect(thrownBy(action)).toBeInstanceOf(ServerMessageError);
  }
});
