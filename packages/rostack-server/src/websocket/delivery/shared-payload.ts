import { constants, deflateRawSync } from 'node:zlib';
import type { FramePieces } from 'rostack-core';
import { BufferPool } from './buffer-pool.ts';
import { encodeFrameHalf, type FrameHalf } from './text-frame.ts';

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
