import type { FramePieces } from 'rostack-core';
import type { BufferPool } from './buffer-pool.ts';

const FIN_AND_TEXT = 0x81;
/** RSV1 says that the payload is deflated (RFC 7692 section 7.2.3). */
const RSV1 = 0x40;
const LENGTH_IN_2_BYTES = 126;
const LENGTH_IN_8_BYTES = 127;
const MAX_UINT32 = 2 ** 32;

/**
 * One half of a message as bytes: the part of a single subscription, or the part that an event's subscribers share. The halves are
 * interleaved: own first, shared first, own second, shared second.
 */
export interface FrameHalf {
  readonly first: Buffer;
  readonly second: Buffer;
  readonly byteLength: number;
}

const EMPTY_BYTES: Buffer = Buffer.alloc(0);

/** @param slab where the bytes are kept; a half that is written at once needs none */
export function encodeFrameHalf([first, second]: FramePieces, slab?: BufferPool): FrameHalf {
  const firstBytes = encode(first, slab);
  const secondBytes = encode(second, slab);
  return {
    first: firstBytes,
    second: secondBytes,
    byteLength: firstBytes.byteLength + secondBytes.byteLength,
  };
}

function encode(text: string, slab: BufferPool | undefined): Buffer {
  if (text === '') return EMPTY_BYTES;
  return slab === undefined ? Buffer.from(text, 'utf8') : slab.encode(text);
}

/** Bytes of the header of an unmasked text frame (RFC 6455 section 5.2): 2, 4 or 10. */
export function textFrameHeaderBytes(payloadBytes: number): number {
  if (payloadBytes < LENGTH_IN_2_BYTES) return 2;
  return payloadBytes < 65_536 ? 4 : 10;
}

/** Writes the header of a whole, unmasked text frame (RFC 6455 section 5.2); returns where it ends. */
export function writeTextFrameHeader(
  target: Buffer,
  offset: number,
  payloadBytes: number,
  isDeflated: boolean,
): number {
  target[offset] = isDeflated ? FIN_AND_TEXT | RSV1 : FIN_AND_TEXT;
  if (payloadBytes < LENGTH_IN_2_BYTES) {
    target[offset + 1] = payloadBytes;
    return offset + 2;
  }
  if (payloadBytes < 65_536) {
    target[offset + 1] = LENGTH_IN_2_BYTES;
    target[offset + 2] = payloadBytes >>> 8;
    target[offset + 3] = payloadBytes & 0xff;
    return offset + 4;
  }
  target[offset + 1] = LENGTH_IN_8_BYTES;
  target.writeUInt32BE(Math.floor(payloadBytes / MAX_UINT32), offset + 2);
  target.writeUInt32BE(payloadBytes % MAX_UINT32, offset + 6);
  return offset + 10;
}
