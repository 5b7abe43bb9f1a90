import fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import type { PageCursorKeyring } from '../../options/cursor-keys.ts';
import { HttpProblem } from '../problem/http-problem.ts';
import { PageCursorSeal, type PageCursorState } from './page-cursor-seal.ts';

const key = (fill: number, id = 1) => ({ id, bytes: new Uint8Array(32).fill(fill) });
const keyring: PageCursorKeyring = { current: key(7) };
const seal = new PageCursorSeal(keyring);
const scope = '["page-cursor","observatory","1","stations","p1","[]"]';
const nowMs = 1_800_000_000_000;
const expiresAtMs = nowMs + 900_000;
const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => value.isWellFormed());
const place: fc.Arbitrary<PageCursorState> = fc.record({
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
const samplePlace: PageCursorState = {
  epoch: 'e',
  at: 42,
  tag: 'tag',
  after: { id: 'seoul', values: [undefined, 3, '가'] },
};
/** Sealed by an earlier release with the same key, scope, place and time. */
const EARLIER =
  'AgEDAwMDAwMDAwMDAwN-z5szahhuckNwc2zbZ9MuiB7M24a5tgROuaWdwZYl18TLXw7AoPhs_aRp7z1OxRh6bF2x3T2bbsCFe9dKbh4eyA';

/** The problem with which a cursor is refused; undefined if it is accepted. */
function slugOf(open: () => unknown): string | undefined {
  const error = thrownBy(open);
  return error instanceof HttpProblem ? error.slug : undefined;
}

describe('page cursor', () => {
  test('gives back the place that it was made of', () => {
    fc.assert(
      fc.property(place, (made) => {
        expect(seal.open(seal.seal(made, scope, expiresAtMs), scope, nowMs)).toEqual(made);
      }),
    );
  });

  test('opens when an earlier release sealed it', () => {
    expect(seal.open(EARLIER, scope, nowMs)).toEqual(samplePlace);
  });

  test('shows nothing of what it holds, and comes once for each place, scope and expiry', () => {
    const again = new PageCursorSeal(keyring);
    expect(again.seal(samplePlace, scope, expiresAtMs)).toBe(seal.seal(samplePlace, scope, expiresAtMs));
    const cursors = [
      ...Array.from({ length: 500 }, (_, at) => seal.seal({ ...samplePlace, at }, scope, expiresAtMs)),
      ...Array.from({ length: 500 }, (_, at) => seal.seal(samplePlace, `${scope}${at}`, expiresAtMs)),
      seal.seal(samplePlace, scope, expiresAtMs + 1),
      new PageCursorSeal({ current: key(9) }).seal(samplePlace, scope, expiresAtMs),
    ];
    // The nonces, which must differ if anything else does.
    expect(new Set(cursors.map((cursor) => cursor.slice(3, 19))).size).toBe(1_002);
    for (const cursor of cursors)
      expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('seoul');
  });

  test('is refused with any character changed', () => {
    const cursor = seal.seal(samplePlace, scope, expiresAtMs);
    for (let index = 0; index < cursor.length; index += 1) {
      const changed = `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`;
      expect(slugOf(() => seal.open(changed, scope, nowMs))).toBe('invalid-cursor');
    }
  });

  test('is refused with anything added that a reader of base64url skips', () => {
    const cursor = seal.seal(samplePlace, scope, expiresAtMs);
    for (const more of ['=', '\n', ' ', '.', '\u{0}', '가'])
      for (const changed of [`${cursor}${more}`, `${more}${cursor}`])
        expect(slugOf(() => seal.open(changed, scope, nowMs))).toBe('invalid-cursor');
  });

  test('is refused for another scope', () => {
    const cursor = seal.seal(samplePlace, scope, expiresAtMs);
    expect(slugOf(() => seal.open(cursor, scope.replace('p1', 'p2'), nowMs))).toBe('invalid-cursor');
  });

  test('is refused from when it expires on', () => {
    const cursor = seal.seal(samplePlace, scope, expiresAtMs);
    expect(seal.open(cursor, scope, expiresAtMs - 1)).toEqual(samplePlace);
    expect(slugOf(() => seal.open(cursor, scope, expiresAtMs))).toBe('invalid-cursor');
  });

  test('outlives the rotation of its key as long as the old key is in the ring', () => {
    const cursor = seal.seal(samplePlace, scope, expiresAtMs);
    const rotated = new PageCursorSeal({ current: key(9, 2), previous: [keyring.current] });
    expect(rotated.open(cursor, scope, nowMs)).toEqual(samplePlace);
    for (const current of [key(9, 2), key(9, 1)])
      expect(slugOf(() => new PageCursorSeal({ current }).open(cursor, scope, nowMs))).toBe('invalid-cursor');
  });

  test('is opened with the current key where an older one has its id, and with the first of two older ones', () => {
    const sealedWith = (fill: number, id: number) =>
      new PageCursorSeal({ current: key(fill, id) }).seal(samplePlace, scope, expiresAtMs);
    const ring = new PageCursorSeal({
      current: key(9, 1),
      previous: [key(7, 1), key(5, 2), key(3, 2)],
    });
    expect(ring.open(sealedWith(9, 1), scope, nowMs)).toEqual(samplePlace);
    expect(ring.open(sealedWith(5, 2), scope, nowMs)).toEqual(samplePlace);
    for (const [fill, id] of [
      [7, 1],
      [3, 2],
    ] as const)
      expect(slugOf(() => ring.open(sealedWith(fill, id), scope, nowMs))).toBe('invalid-cursor');
  });

  test('is refused, as is any text, where it was not sealed here', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (cursor) => {
        expect(slugOf(() => seal.open(cursor, scope, nowMs))).toBe('invalid-cursor');
      }),
    );
  });
});
