import { crc32 } from 'node:zlib';

const SLOTS = 16_384;

/**
 * Remembers which keys came by lately, in 64 KiB whatever their number, so that a cache keeps only what is asked for again.
 * Two keys may share a slot: then one of them is forgotten sooner.
 */
export class Doorkeeper {
  readonly #fingerprints = new Uint32Array(SLOTS);

  /** Whether the key came by before; it has now. */
  recognises(key: string): boolean {
    const fingerprint = crc32(key);
    const slot = fingerprint % SLOTS;
    if (this.#fingerprints[slot] === fingerprint) return true;
    this.#fingerprints[slot] = fingerprint;
    return false;
  }
}
