import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../../test/support/code-point.ts';
import { decodeEventCursor, EventCursorError, encodeEventCursor, eventScopeTag } from '../../index.ts';

describe('event cursor', () => {
  const eventScope = {
    implementationId: 'observatory',
    apiVersion: '1',
    resource: 'stations',
    principalId: 'p1',
  };
  const secret = new Uint8Array(32).fill(5);
  const tag = eventScopeTag(eventScope, secret);
  const place = fc.record({
    epoch: fc.stringMatching(/^[\w-]{1,64}$/),
    position: fc.maxSafeNat(),
    tag: fc.stringMatching(/^[\w-]{0,32}$/),
  });

  test('has a tag of 96 bits of HMAC-SHA-256 in base64url', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 80 }), fc.string(), (key, principalId) => {
        const text = JSON.stringify(['event-cursor', 'observatory', '1', 'stations', principalId]);
        const digest = createHmac('sha256', key).update(text).digest();
        expect(eventScopeTag({ ...eventScope, principalId }, key)).toBe(
          digest.subarray(0, 12).toString('base64url'),
        );
      }),
    );
  });

  test('given while other rows were visible is unavailable; another principal still is another scope', () => {
    const place = { epoch: 'e', position: 1, tag: 't' };
    const tags = ['', 'all', 'a', 'b'].map((rows) => eventScopeTag({ ...eventScope, rows }, secret));
    expect(new Set(tags).size).toBe(4);
    expect(tags[0]).toBe(tag);
    for (const given of tags) {
      expect(decodeEventCursor(encodeEventCursor(given, place), given)).toEqual(place);
      for (const asked of tags.filter((each) => each !== given)) {
        const error = thrownBy(() => decodeEventCursor(encodeEventCursor(given, place), asked));
        expect(error).toMatchObject({ code: 'cursor_unavailable' });
      }
      const other = eventScopeTag({ ...eventScope, principalId: 'p2', rows: 'a' }, secret);
      const error = thrownBy(() => decodeEventCursor(encodeEventCursor(given, place), other));
      expect(error).toMatchObject({ code: 'cursor_scope_mismatch' });
    }
  });

  test('gives back epoch, position and tag', () => {
    fc.assert(
      fc.property(place, (made) => {
        expect(decodeEventCursor(encodeEventCursor(tag, made), tag)).toEqual(made);
      }),
    );
  });

  test('has no last part for a position without a tag', () => {
    expect(encodeEventCursor(tag, { epoch: 'e', position: 7, tag: '' })).toBe(`1.${tag}.e.7`);
    expect(encodeEventCursor(tag, { epoch: 'e', position: 7, tag: 't' })).toBe(`1.${tag}.e.7.t`);
  });

  test.for(Object.keys(eventScope) as (keyof typeof eventScope)[])(
    'has another tag for another %s',
    (member) => {
      const other = eventScopeTag({ ...eventScope, [member]: 'other' }, secret);
      expect(other).toMatch(/^[\w-]{16}$/);
      expect(other).not.toBe(tag);
      const cursor = encodeEventCursor(other, { epoch: 'e', position: 1, tag: 't' });
      expect(() => decodeEventCursor(cursor, tag)).toThrow(
        expect.objectContaining({ code: 'cursor_scope_mismatch' }),
      );
    },
  );

  test('has another tag for another key, and refuses a short one', () => {
    expect(eventScopeTag(eventScope, new Uint8Array(32).fill(6))).not.toBe(tag);
    expect(() => eventScopeTag(eventScope, new Uint8Array(31))).toThrow(RangeError);
  });

  test.for([
    '',
    `2.${tag}.e.1`,
    `1.${tag}.e.01`,
    `1.${tag}.e.-1`,
    `1.${tag}.e.1.`,
    `1.${tag}.e.1.t.t`,
    `1.${tag}.e.1.${'t'.repeat(33)}`,
    `1.${tag}.e.`,
    `1.${tag}..1`,
    `1.${tag}.e.9007199254740992`,
    `1.${tag}.e.1\n`,
    `1.short.e.1`,
  ])('is unavailable when malformed: %j', (cursor) => {
    expect(() => decodeEventCursor(cursor, tag)).toThrow(
      expect.objectContaining({ code: 'cursor_unavailable' }),
    );
  });

  test('throws its documented errors, and no other, for any text', () => {
    const part = fc.constantFrom('1', '.', tag, 'e', '0', '-', '9007199254740993', '\n', '가');
    const cursors = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.array(part).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(cursors, (cursor) => {
        const error = thrownBy(() => decodeEventCursor(cursor, tag));
        expect(error === undefined || error instanceof EventCursorError).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
