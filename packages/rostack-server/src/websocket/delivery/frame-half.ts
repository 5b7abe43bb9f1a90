import type { FramePieces } from 'rostack-core';

/**
 * One half of a message as bytes: what is a subscription's own, or what an event's subscribers share. The two halves
 * go around each other: own first, shared first, own second, shared second.
 */
export interface FrameHalf {
  readonly first: Buffer;
  readonly second: Buffer;
  readonly byteLength: number;
}

const EMPTY_BYTES: Buffer = Buffer.alloc(0);

export const EMPTY_HALF: FrameHalf = { first: EMPTY_BYTES, second: EMPTY_BYTES, byteLength: 0 };

export function encodeFrameHalf([first, second]: FramePieces): FrameHalf {
  const firstBytes = first === '' ? EMPTY_BYTES : Buffer.from(first, 'utf8');
  const secondBytes = second === '' ? EMPTY_BYTES : Buffer.from(second, 'utf8');
  return {
    first: firstBytes,
    second: secondBytes,
    byteLength: firstBytes.byteLength + secondBytes.byteLength,
  };
}
