import { constants, deflateRawSync } from 'node:zlib';
import type { FramePieces } from 'rostack-core';
import { BufferPool } from './buffer-pool.ts';

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

/** Below this size, deflating gains little after the cost of the extra block header. */
const DEFLATE_FROM_BYTES = 512;
/** The bytes that end a sync flush and are left out of a message (RFC 7692 section 7.2.1). */
const FLUSH_END_BYTES = 4;
const SYNC_FLUSH = { finishFlush: constants.Z_SYNC_FLUSH };

/** The half of a message that all subscribers of an event share. Its second piece is deflated once for all of them. */
export class SharedPayload implements FrameHalf {
  readonly first: Buffer;
  readonly second: Buffer;
  readonly byteLength: number;
  readonly #slab: BufferPool;
  #deflatedSecond: Buffer | undefined;

  /** @param slab where its bytes are kept */
  constructor(pieces: FramePieces, slab: BufferPool) {
    const { first, second, byteLength } = encodeFrameHalf(pieces, slab);
    this.#slab = slab;
    this.first = first;
    this.second = second;
    this.byteLength = byteLength;
  }

  /**
   * The second piece as DEFLATE blocks that start on a byte boundary and refer to nothing before them, without the end of the flush;
   * `second` itself if it is small.
   */
  get deflatedSecond(): Buffer {
    this.#deflatedSecond ??= deflate(this.second, this.#slab);
    return this.#deflatedSecond;
  }
}

export const NOTHING_SHARED = new SharedPayload(['', ''], new BufferPool());

function deflate(text: Buffer, slab: BufferPool): Buffer {
  if (text.byteLength < DEFLATE_FROM_BYTES) return text;
  const deflated = deflateRawSync(text, SYNC_FLUSH);
  // Copied, because zlib's result would keep a chunk of 16 KiB alive.
  return slab.copy(deflated.subarray(0, -FLUSH_END_BYTES));
}

const STORED_BLOCK_HEADER_BYTES = 5;
const MAX_STORED_BLOCK_BYTES = 65_535;

/** A message as one connection gets it: the pieces of its two halves; the last piece may be deflated. */
export interface OutgoingMessage {
  readonly own: FrameHalf;
  readonly shared: SharedPayload;
  /** The last piece; its bytes are shared by all connections that get it in this form. */
  readonly tail: Buffer;
  readonly isDeflated: boolean;
  readonly payloadBytes: number;
}

/**
 * Combines two halves into a message; its tail is deflated if that is worthwhile and the client can inflate it.
 * @param deflateUpToBytes see `OutboxOptions`
 */
export function createOutgoingMessage(
  own: FrameHalf,
  shared: SharedPayload,
  deflateUpToBytes: number,
): OutgoingMessage {
  const { first, second } = shared;
  const prefixBytes = own.byteLength + first.byteLength;
  const canDeflate = second.byteLength <= deflateUpToBytes && prefixBytes <= MAX_STORED_BLOCK_BYTES;
  const tail = canDeflate ? shared.deflatedSecond : second;
  const isDeflated = tail !== second;
  const payloadBytes = (isDeflated ? STORED_BLOCK_HEADER_BYTES : 0) + prefixBytes + tail.byteLength;
  return { own, shared, tail, isDeflated, payloadBytes };
}

/** Bytes of the whole frame. */
export function messageFrameBytes({ payloadBytes }: OutgoingMessage): number {
  return textFrameHeaderBytes(payloadBytes) + payloadBytes;
}

/**
 * Writes the frame up to the tail; returns the offset for the tail. Before a deflated tail, the other pieces form a stored block (RFC 1951
 * section 3.2.4), which needs no compression and ends on a byte boundary, where the tail begins.
 */
export function writeMessageStart(target: Buffer, offset: number, message: OutgoingMessage): number {
  const { own, shared, isDeflated, payloadBytes } = message;
  let end = writeTextFrameHeader(target, offset, payloadBytes, isDeflated);
  if (isDeflated) end = writeStoredBlockHeader(target, end, own.byteLength + shared.first.byteLength);
  end = copyBytes(target, own.first, end);
  end = copyBytes(target, shared.first, end);
  return copyBytes(target, own.second, end);
}

/** Copies bytes to a place; returns where they end. */
export function copyBytes(target: Buffer, bytes: Buffer, offset: number): number {
  if (bytes.byteLength > 0) target.set(bytes, offset);
  return offset + bytes.byteLength;
}

/** Header of a stored block that is not the last one: its length, and its length inverted. */
function writeStoredBlockHeader(target: Buffer, offset: number, bytes: number): number {
  target[offset] = 0;
  target.writeUInt16LE(bytes, offset + 1);
  target.writeUInt16LE(bytes ^ MAX_STORED_BLOCK_BYTES, offset + 3);
  return offset + STORED_BLOCK_HEADER_BYTES;
}
