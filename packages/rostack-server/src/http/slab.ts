import { Buffer } from 'node:buffer';

const SLAB_BYTES = 262_144;
/** What is larger gets memory of its own. */
const MAX_SHARE_BYTES = 32_768;

/**
 * Memory for bytes that are sent and forgotten, many of them out of one piece: a piece for each would cost the collector more than
 * writing it does. Nothing is used twice; a slab goes when all that was taken of it has gone.
 */
export class Slab {
  #bytes = Buffer.alloc(0);
  #used = 0;

  /** Bytes that nobody else has; what is in them is not defined. */
  take(size: number): Buffer<ArrayBuffer> {
    if (size > MAX_SHARE_BYTES) return Buffer.allocUnsafeSlow(size);
    if (this.#used + size > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    this.#used += size;
    return this.#bytes.subarray(this.#used - size, this.#used);
  }
}
