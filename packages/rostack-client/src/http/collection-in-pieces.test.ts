import fc from 'fast-check';
import { parseStrictJson } from 'rostack-core';
import { describe, expect, test } from 'vitest';
import { parseCollectionInPieces } from './collection-in-pieces.ts';

const utf8 = new TextEncoder();
/** What cuts and beginnings are looked for by, in places where they are neither. */
const TRAPS = ['},{', '"items":[', ']}', '],[{', '\\"items\\":[', '\\', '"', '관측소', '\ufeff', '🛰'];
const text = fc.oneof(fc.constantFrom(...TRAPS), fc.string({ unit: 'grapheme', maxLength: 60 }));
const record = fc.dictionary(
  fc.oneof(fc.constantFrom('id', 'items', 'foo"items', '__proto__'), text),
  fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.array(fc.record({ id: text }), { maxLength: 3 })),
  { maxKeys: 6 },
);
const collection = fc.record(
  {
    page: fc.record({ next_cursor: text, items: fc.array(fc.integer()) }, { requiredKeys: ['next_cursor'] }),
    items: fc.array(record, { minLength: 1, maxLength: 12 }),
    links: fc.array(text, { maxLength: 2 }),
  },
  { requiredKeys: ['page', 'items'] },
);

function outcome(parse: () => unknown): unknown {
  try {
    // As text: the order of members counts too.
    return JSON.stringify(parse());
  } catch (error) {
    return (error as Error).name;
  }
}

const piecesOf = (bytes: Uint8Array): unknown => parseCollectionInPieces(bytes) ?? wholeOf(bytes);

const wholeOf = (bytes: Uint8Array): unknown =>
  parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));

/** The records again and again, until the collection is parsed in several pieces. */
function large({ items, ...rest }: { readonly items: readonly object[] }): object {
  const bytes = utf8.encode(JSON.stringify(items)).byteLength;
  const times = Math.ceil(200_000 / bytes);
  return { ...rest, items: Array.from({ length: times }, () => items).flat() };
}

describe('parseCollectionInPieces', () => {
  test('gives of large collections what JSON.parse gives of the whole', () => {
    const indent = fc.constantFrom(undefined, undefined, undefined, 1);
    fc.assert(
      fc.property(collection, indent, (value, space) => {
        const bytes = utf8.encode(JSON.stringify(large(value), undefined, space));
        expect(outcome(() => piecesOf(bytes))).toBe(outcome(() => wholeOf(bytes)));
      }),
      { numRuns: 60 },
    );
  });

  test('takes and refuses the same as JSON.parse, also after bytes have changed', () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      byte: fc.constantFrom(0xff, ...utf8.encode('{}[],":\\ 0')),
    });
    fc.assert(
      fc.property(collection, fc.array(change, { minLength: 1, maxLength: 3 }), (value, changes) => {
        const bytes = utf8.encode(JSON.stringify(large(value)));
        for (const { at, byte } of changes) bytes[Math.floor(at * bytes.byteLength)] = byte;
        expect(outcome(() => piecesOf(bytes))).toBe(outcome(() => wholeOf(bytes)));
      }),
      { numRuns: 120 },
    );
  });

  test.for<readonly [string, string]>([
    ['in a member only', '{"page":{"items":[RECORDS]}}'],
    ['in a member, and something else where they should be', '{"page":{"items":[RECORDS]},"items":0}'],
    ['twice', '{"items":[RECORDS],"items":[{"id":"b"}]}'],
    ['after a byte order mark', '\ufeff{"items":[RECORDS]}'],
    ['with a byte order mark before the first', '{"items":[\ufeffRECORDS]}'],
    ['with a comma after the last', '{"items":[RECORDS,]}'],
    ['without an end', '{"items":[RECORDS]'],
    ['not even without the brackets', '{"items":[RECORDS}'],
  ])('takes or refuses records as JSON.parse does: %s', ([, shape]) => {
    const records = Array.from({ length: 10_000 }, () => '{"id":"aaaa"}').join(',');
    const bytes = utf8.encode(shape.replace('RECORDS', records));
    expect(outcome(() => piecesOf(bytes))).toBe(outcome(() => wholeOf(bytes)));
  });

  test('refuses bytes in the middle of a large collection that are not UTF-8', () => {
    const bytes = utf8.encode(JSON.stringify(large({ items: [{ id: 'a'.repeat(20) }] })));
    bytes[bytes.indexOf(0x61, 100_000)] = 0xff;
    expect(() => piecesOf(bytes)).toThrow(TypeError);
  });
});
