import { describe, expect, test } from 'vitest';
import { textFrameHeaderBytes, writeTextFrameHeader } from './text-frame.ts';

// The length forms of RFC 6455 section 5.2, at their edges.
const HEADERS: readonly (readonly [payloadBytes: number, hex: string])[] = [
  [0, '8100'],
  [1, '8101'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
  [5_000_000_000, '817f000000012a05f200'],
];

describe('the header of a text frame', () => {
  test.each(HEADERS)('of %i bytes is %s', (payloadBytes, hex) => {
    const target = Buffer.alloc(12, 0xee);
    const end = writeTextFrameHeader(target, 1, payloadBytes, false);
    expect(target.subarray(1, end).toString('hex')).toBe(hex);
    expect(textFrameHeaderBytes(payloadBytes)).toBe(end - 1);
    expect(target[0]).toBe(0xee);
    expect(target[end]).toBe(0xee);
  });

  test('has RSV1 where the payload is deflated', () => {
    const target = Buffer.alloc(2);
    writeTextFrameHeader(target, 0, 7, true);
    expect(target.toString('hex')).toBe('c107');
  });
});
