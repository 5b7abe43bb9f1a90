import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeEventCursor } from '../../index.ts';
import { decodeCompactEvent } from './compact-event-codec.ts';
import { createEventEncoder, joinFrame, type SharedEvent } from './event-encoder.ts';
import { parseServerMessage } from './parse-server-message.ts';
import { EVENT_ENCODINGS } from './shared-models.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const event: fc.Arbitrary<SharedEvent> = fc.record({
  epoch: fc.stringMatching(/^[\w-]{1,16}$/),
  position: fc.maxSafeNat(),
  tag: fc.stringMatching(/^[\w-]{0,8}$/),
  eventId: text,
  occurredAtMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  eventType: text,
  resourceId: text,
  resourceVersion: text,
  detailUrl: fc.option(fc.constant('https://example.org/stations/a'), { nil: undefined }),
  dataText: fc.option(
    fc.json().filter((json) => json !== 'undefined'),
    { nil: undefined },
  ),
});

describe.for(EVENT_ENCODINGS)('%s', (encoding) => {
  test('the two halves make a message that says what the event says', () => {
    const encoder = createEventEncoder(encoding);
    fc.assert(
      fc.property(event, text, fc.stringMatching(/^[\w-]{16}$/), (shared, subscriptionId, tag) => {
        const frame = joinFrame(encoder.subscriptionPieces(subscriptionId, tag), encoder.eventPieces(shared));
        const parsed = parseServerMessage(frame);
        const message = 'type' in parsed ? parsed : decodeCompactEvent(parsed);
        const cursor = encodeEventCursor(tag, shared);
        const data = shared.dataText === undefined ? undefined : JSON.parse(shared.dataText);
        const { eventId, occurredAtMs, eventType, resourceId, resourceVersion, detailUrl } = shared;
        expect(message).toEqual({
          type: 'event',
          subscription_id: subscriptionId,
          cursor,
          event_id: eventId,
          occurred_at: new Date(occurredAtMs).toISOString(),
          event_type: eventType,
          resource_id: resourceId,
          resource_version: resourceVersion,
          ...(detailUrl === undefined ? {} : { detail_url: detailUrl }),
          ...(shared.dataText === undefined ? {} : { data }),
        });
        expect(Array.isArray(parsed)).toBe(encoding === 'compact-json');
      }),
    );
  });
});
