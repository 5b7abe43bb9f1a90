/** As large as a slab of Node's own pool. */
const SLAB_BYTES = 8_192;
/** Larger pieces have memory of their own, so at most this much is left over at the end of a slab. */
const LARGE_BYTES = 2_048;

/**
 * Memory for small pieces that live about as long as each other, and longer than a turn. Node's pool puts all that is encoded at a time
 * into the same 8 KiB, so a piece that is kept would keep what was written to sockets around it.
 */
export class Slab {
  #bytes: Buffer | undefined;
  #usedBytes = 0;

  /** A text as UTF-8. */
  encode(text: string): Buffer {
    const piece = this.#take(Buffer.byteLength(text));
    piece.write(text);
    return piece;
  }

  copy(bytes: Uint8Array): Buffer {
    const piece = this.#take(bytes.byteLength);
    piece.set(bytes);
    return piece;
  }

  #take(sizeBytes: number): Buffer {
    if (sizeBytes > LARGE_BYTES) return Buffer.allocUnsafeSlow(sizeBytes);
    if (this.#bytes === undefined || this.#usedBytes + sizeBytes > SLAB_BYTES) {
      this.#bytes = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#usedBytes = 0;
    }
    const start = this.#usedBytes;
    this.#usedBytes += sizeBytes;
    return this.#bytes.subarray(start, this.#usedBytes);
  }
}
