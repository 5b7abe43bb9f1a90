import { crc32 } from 'node:zlib';

const SLOTS = 16_384;

/** 32 bits that stand for a text; others may have the same. */
export function fingerprintOf(text: string): number {
  return crc32(text);
}

/**
 * Remembers which texts came by lately, in 64 KiB whatever their number, so that a cache keeps only what is asked for again.
 * Two texts may share a slot: then one of them is forgotten sooner.
 */
export class Doorkeeper {
  readonly #fingerprints = new Uint32Array(SLOTS);

  /** Whether a text of this fingerprint came by before; it has now. */
  recognises(fingerprint: number): boolean {
    const slot = fingerprint % SLOTS;
    if (this.#fingerprints[slot] === fingerprint) return true;
    this.#fingerprints[slot] = fingerprint;
    return false;
  }
}
