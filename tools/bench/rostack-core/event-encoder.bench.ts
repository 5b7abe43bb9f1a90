import { createEventEncoder, EVENT_ENCODINGS, type FramePieces } from 'rostack-core';
import { report } from '../support/report.ts';
import { timeStrategies } from '../support/rounds.ts';

const SUBSCRIBERS = 1_000;
const EVENTS = 20;

const record = {
  id: 'station-4711',
  name: '서울 강남 관측소',
  status: 'active',
  position: { latitude: 37.4979, longitude: 127.0276, height: 42 },
  sensors: [
    { kind: 'rain', unit: 'mm', value: 3.25 },
    { kind: 'wind', unit: 'm/s', value: 7.5 },
    { kind: 'temperature', unit: 'C', value: -2.75 },
  ],
};

const subscribers = Array.from({ length: SUBSCRIBERS }, (_, index) => ({
  id: `subscription-${index}`,
  scopeTag: index.toString(36).padStart(16, 'A'),
}));

const events = Array.from({ length: EVENTS }, (_, index) => ({
  epoch: '8f14e45fceea167a',
  position: 1_000_000 + index,
  tag: 'Zk3_q0Vw',
  eventId: `01JCQ8Z5M3-${index}`,
  occurredAtMs: 1_763_000_000_000 + index,
  eventType: 'station.changed',
  resourceId: record.id,
  resourceVersion: `v${index}`,
  dataText: JSON.stringify({ ...record, status: index % 2 === 0 ? 'active' : 'idle' }),
}));

type Encoding = (typeof EVENT_ENCODINGS)[number];

/** What a frame costs without sharing: each subscriber's message is built and stringified, and is not even bytes yet. */
function stringifyEach(encoding: Encoding): number {
  let whole = 0;
  for (const event of events) {
    const data: unknown = JSON.parse(event.dataText);
    const occurredAt = new Date(event.occurredAtMs).toISOString();
    for (const { id, scopeTag } of subscribers) {
      const frame = JSON.stringify(messageOf(encoding, event, id, scopeTag, occurredAt, data));
      if (frame.endsWith(encoding === 'json' ? '}' : ']')) whole += 1;
    }
  }
  return whole;
}

function messageOf(
  encoding: Encoding,
  event: (typeof events)[number],
  id: string,
  scopeTag: string,
  occurredAt: string,
  data: unknown,
): unknown {
  const { eventId, occurredAtMs, eventType, resourceId, resourceVersion } = event;
  const cursor = `1.${scopeTag}.${event.epoch}.${event.position}.${event.tag}`;
  if (encoding === 'compact-json') {
    return ['e', id, eventId, cursor, occurredAtMs, eventType, resourceId, resourceVersion, null, data];
  }
  return {
    type: 'event',
    subscription_id: id,
    cursor,
    event_id: eventId,
    occurred_at: occurredAt,
    event_type: eventType,
    resource_id: resourceId,
    resource_version: resourceVersion,
    data,
  };
}

/** What a gateway does: the shared half becomes bytes once, and each frame is put together in the outgoing bytes. */
function share(encoding: Encoding, subscriptions: readonly Half[], outgoing: Uint8Array): number {
  const encoder = createEventEncoder(encoding);
  let whole = 0;
  for (const event of events) {
    const shared = toBytes(encoder.eventPieces(event));
    let at = 0;
    for (const subscription of subscriptions) {
      if (at + MAX_FRAME_BYTES > outgoing.length) at = 0;
      for (const piece of [subscription[0], shared[0], subscription[1], shared[1]]) {
        outgoing.set(piece, at);
        at += piece.length;
      }
      if (outgoing[at - 1] === (encoding === 'json' ? 0x7d : 0x5d)) whole += 1;
    }
  }
  return whole;
}

type Half = readonly [Uint8Array, Uint8Array];

const utf8 = new TextEncoder();
const MAX_FRAME_BYTES = 4_096;

function toBytes([first, second]: FramePieces): Half {
  return [utf8.encode(first), utf8.encode(second)];
}

console.log(`event frames: ${EVENTS} events for ${SUBSCRIBERS} subscribers each`);
for (const encoding of EVENT_ENCODINGS) {
  const encoder = createEventEncoder(encoding);
  const subscriptions = subscribers.map(({ id, scopeTag }) =>
    toBytes(encoder.subscriptionPieces(id, scopeTag)),
  );
  const outgoing = new Uint8Array(262_144);
  const { medians, spread } = await timeStrategies({
    stringify: { work: () => stringifyEach(encoding) },
    shared: { work: () => share(encoding, subscriptions, outgoing), times: 4 },
  });
  const frames = EVENTS * SUBSCRIBERS;
  console.log(
    `  ${encoding}: JSON.stringify ${((medians.stringify * 1_000) / frames).toFixed(2)} us, shared ${((medians.shared * 1_000) / frames).toFixed(2)} us a frame, noise ${(spread * 100).toFixed(0)} %`,
  );
  report(`rostack-core/event-encoder-${encoding}`, {
    ratio: medians.stringify / medians.shared,
    bar: 5,
    want: 'at least',
  });
}
