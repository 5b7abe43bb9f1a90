import { createCipheriv, createDecipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { thrownBy } from '../../test/support/thrown-by.ts';
import { decodeBase64url, encodeBase64url } from './base64url.ts';
import {
  type AeadFactory,
  type CursorPlatform,
  decodeEventCursor,
  decodePageCursor,
  EventCursorError,
  encodeEventCursor,
  encodePageCursor,
  eventScopeTag,
  PAGE_CURSOR_LIFETIME_MS,
  type PageCursorScope,
  type PagePlace,
} from './index.ts';

const key = (fill: number, id = 1) => ({ id, bytes: new Uint8Array(32).fill(fill) });
const keyring = { current: key(7) };
const nonce = new Uint8Array(12).fill(3);
const scope: PageCursorScope = {
  implementationId: 'observatory',
  apiVersion: '1',
  resource: 'stations',
  principalId: 'p1',
  query: '[]',
};
const nowMs = 1_800_000_000_000;
const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => value.isWellFormed());
const place: fc.Arbitrary<PagePlace> = fc.record({
  epoch: fc.stringMatching(/^[\w-]{1,20}$/),
  at: fc.maxSafeNat(),
  tag: fc.stringMatching(/^[\w-]{0,32}$/),
  after: fc.record({
    id: text,
    values: fc.array(
      fc.oneof(
        fc.constantFrom(null, true, false, undefined),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        text,
      ),
      { maxLength: 4 },
    ),
  }),
});
const samplePlace: PagePlace = {
  epoch: 'e',
  at: 42,
  tag: 'tag',
  after: { id: 'seoul', values: [undefined, 3, '가'] },
};

describe('base64url', () => {
  test('reads back what it writes, as the platform writes it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(encodeBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
        expect(decodeBase64url(encodeBase64url(bytes))).toEqual(bytes);
      }),
    );
  });

  test('refuses text with a second spelling', () => {
    for (const spelling of ['AB', 'A', 'AA=', 'A+', 'A/', 'AAB', ' AAA']) {
      expect(decodeBase64url(spelling), spelling).toBeUndefined();
    }
  });
});

describe('page cursor', () => {
  test('gives back the place that it was made of', () => {
    fc.assert(
      fc.property(place, fc.uint8Array({ minLength: 12, maxLength: 12 }), (made, random) => {
        const cursor = encodePageCursor(made, scope, keyring, nowMs, random);
        expect(decodePageCursor(cursor, scope, keyring, nowMs)).toEqual(made);
      }),
    );
  });

  test('is the same and opens the same by what a platform has', () => {
    const cipher: AeadFactory = (key) => ({
      seal(random, additionalData, plaintext) {
        const cipher = createCipheriv('aes-256-gcm', key, random).setAAD(additionalData);
        return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
      },
      open(random, additionalData, sealed) {
        const decipher = createDecipheriv('aes-256-gcm', key, random, { authTagLength: 16 });
        decipher.setAAD(additionalData).setAuthTag(sealed.subarray(-16));
        return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      },
    });
    const platform: CursorPlatform = {
      cipher,
      encodeUtf8: (text) => Buffer.from(text),
      encodeBase64url: (parts) => Buffer.concat(parts).toString('base64url'),
      decodeBase64url: (text) => Buffer.from(text, 'base64url'),
    };
    fc.assert(
      fc.property(place, fc.uint8Array({ minLength: 12, maxLength: 12 }), (made, random) => {
        const cursor = encodePageCursor(made, scope, keyring, nowMs, random, platform);
        expect(cursor).toBe(encodePageCursor(made, scope, keyring, nowMs, random));
        expect(decodePageCursor(cursor, scope, keyring, nowMs, platform)).toEqual(made);
      }),
    );
  });

  test('shows nothing of what it holds', () => {
    const cursor = encodePageCursor(samplePlace, scope, keyring, nowMs, nonce);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('seoul');
  });

  test('is refused with any character changed', () => {
    const cursor = encodePageCursor(samplePlace, scope, keyring, nowMs, nonce);
    for (let index = 0; index < cursor.length; index += 1) {
      const changed = `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`;
      expect(() => decodePageCursor(changed, scope, keyring, nowMs)).toThrow(
        expect.objectContaining({ code: 'invalid_cursor' }),
      );
    }
  });

  test.for(Object.keys(scope) as (keyof PageCursorScope)[])('is refused for another %s', (member) => {
    const cursor = encodePageCursor(samplePlace, scope, keyring, nowMs, nonce);
    const other = { ...scope, [member]: `${scope[member]}x` };
    expect(() => decodePageCursor(cursor, other, keyring, nowMs)).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }),
    );
  });

  test('does not take members of the scope for one another', () => {
    const cursor = encodePageCursor(
      samplePlace,
      { ...scope, resource: 'a', principalId: 'bc' },
      keyring,
      nowMs,
      nonce,
    );
    const shifted = { ...scope, resource: 'ab', principalId: 'c' };
    expect(() => decodePageCursor(cursor, shifted, keyring, nowMs)).toThrow();
  });

  test('lives 15 minutes', () => {
    const cursor = encodePageCursor(samplePlace, scope, keyring, nowMs, nonce);
    expect(decodePageCursor(cursor, scope, keyring, nowMs + PAGE_CURSOR_LIFETIME_MS - 1)).toEqual(
      samplePlace,
    );
    expect(() => decodePageCursor(cursor, scope, keyring, nowMs + PAGE_CURSOR_LIFETIME_MS)).toThrow();
  });

  test('outlives the rotation of its key as long as the old key is in the ring', () => {
    const cursor = encodePageCursor(samplePlace, scope, keyring, nowMs, nonce);
    const rotated = { current: key(9, 2), previous: [keyring.current] };
    expect(decodePageCursor(cursor, scope, rotated, nowMs)).toEqual(samplePlace);
    expect(() => decodePageCursor(cursor, scope, { current: key(9, 2) }, nowMs)).toThrow();
    expect(() => decodePageCursor(cursor, scope, { current: key(9, 1) }, nowMs)).toThrow();
  });

  test('throws its documented error, and no other, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (cursor) => {
        expect(() => decodePageCursor(cursor, scope, keyring, nowMs)).toThrow(
          expect.objectContaining({ code: 'invalid_cursor' }),
        );
      }),
    );
  });
});

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
      fc.string({ unit: 'binary' }),
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
