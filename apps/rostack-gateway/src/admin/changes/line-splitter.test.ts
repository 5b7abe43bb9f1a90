import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

function split(bytes: Uint8Array, cuts: readonly number[], maxLineBytes = 1_000) {
  const splitter = new LineSplitter({ maxLineBytes });
  const edges = [0, ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

const text = fc.stringMatching(/^[ab한\r\n ]*$/, { maxLength: 60 });

describe('lines', () => {
  test('are the same however the bytes are cut, and count from 1', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (content, cuts) => {
        const found = split(Buffer.from(content), cuts).map(({ line, text }) => [line, text]);
        const expected = content
          .split('\n')
          .map((line, index) => [index + 1, line] as const)
          .filter(([, line]) => line.trim() !== '');
        expect(found).toEqual(expected);
      }),
    );
  });

  test('can be read on from where any line ended', () => {
    fc.assert(
      fc.property(text, fc.nat(), (content, nth) => {
        const bytes = Buffer.from(content);
        const all = split(bytes, []);
        const stop = all[nth % Math.max(1, all.length)];
        if (stop === undefined) return;
        const rest = new LineSplitter({
          maxLineBytes: 1_000,
          startOffset: stop.endOffset,
          linesBefore: stop.line,
        });
        const found = [...rest.push(bytes.subarray(stop.endOffset)), ...rest.end()];
        expect(found).toEqual(all.filter(({ line }) => line > stop.line));
      }),
    );
  });

  test('too long or no UTF-8 are reported by number, and the next one is read', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${'x'.repeat(11)}\n`),
      Buffer.from([0xff, 10]),
      Buffer.from('a'),
    ]);
    expect(split(bytes, [3, 7, 12], 10)).toEqual([
      { line: 1, endOffset: 12, text: undefined, fault: 'too_long' },
      { line: 2, endOffset: 14, text: undefined, fault: 'not_utf8' },
      { line: 3, endOffset: 15, text: 'a', fault: undefined },
    ]);
  });

  test('may be as long as the limit, whatever their newline, however the bytes are cut', () => {
    const lines = fc.array(fc.tuple(fc.integer({ min: 8, max: 16 }), fc.constantFrom('\n', '\r\n')));
    fc.assert(
      fc.property(lines, fc.boolean(), fc.array(fc.nat()), (given, isMarked, cuts) => {
        const content = given.map(([length, newline]) => `${'x'.repeat(length)}${newline}`).join('');
        const found = split(Buffer.from(`${isMarked ? '\u{feff}' : ''}${content}`), cuts, 12);
        expect(found.map(({ line, text, fault }) => [line, text?.trim() ?? fault])).toEqual(
          given.map(([length], index) => [index + 1, length > 12 ? 'too_long' : 'x'.repeat(length)]),
        );
      }),
    );
  });

  test('a byte order mark is no part of the first line', () => {
    expect(split(Buffer.from('\u{feff}a\n\u{feff}b'), [])).toMatchObject([
      { text: 'a' },
      { text: '\u{feff}b' },
    ]);
  });
});
