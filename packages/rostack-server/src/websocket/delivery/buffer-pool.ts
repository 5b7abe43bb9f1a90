/** As large as a slab of Node's own pool. */
const SLAB_BYTES = 8_192;
/** Larger pieces have memory of their own, so at most this much is left over at the end of a slab. */
const LARGE_BYTES = 2_048;
/** UTF-8 takes at most this many bytes for a UTF-16 code unit. */
const MAX_UNIT_BYTES = 3;

/**
 * Memory for small pieces that are kept for similar times, longer than a turn. Node's pool puts everything that is encoded in a turn into
 * the same 8 KiB, so a piece that is kept would also retain what was written to sockets around it.
 */
export class BufferPool {
  #bytes: Buffer | undefined;
  #usedBytes = 0;

  /** A text as UTF-8. */
  encode(text: string): Buffer {
    const mostBytes = MAX_UNIT_BYTES * text.length;
    if (mostBytes > LARGE_BYTES) {
      const piece = this.#take(Buffer.byteLength(text));
      piece.write(text);
      return piece;
    }
    // Writing returns the length; computing it first would take as long again.
    const bytes = this.#withRoom(mostBytes);
    const start = this.#usedBytes;
    this.#usedBytes += bytes.write(text, start);
    return bytes.subarray(start, this.#usedBytes);
  }

  copy(bytes: Uint8Array): Buffer {
    const piece = this.#take(bytes.byteLength);
    piece.set(bytes);
    return piece;
  }

  #take(sizeBytes: number): Buffer {
    if (sizeBytes > LARGE_BYTES) return Buffer.allocUnsafeSlow(sizeBytes);
    const bytes = this.#withRoom(sizeBytes);
    const start = this.#usedBytes;
    this.#usedBytes += sizeBytes;
    return bytes.subarray(start, this.#usedBytes);
  }

  #withRoom(sizeBytes: number): Buffer {
    if (this.#bytes === undefined || this.#usedBytes + sizeBytes > SLAB_BYTES) {
      this.#bytes = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#usedBytes = 0;
    }
    return this.#bytes;
  }
}
