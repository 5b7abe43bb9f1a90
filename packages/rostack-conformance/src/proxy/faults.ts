import type { SeededRandom } from 'rostack-core/testing';

/** What a network does to one connection. Bytes are counted on TCP; with TLS that is not the size of messages. */
export interface Faults {
  /** Breaks the connection visibly for both peers, once this many bytes have gone to the client; at least 0. */
  readonly cutAfterBytes?: number;
  /** Once this many bytes have gone to the client, the server is gone and the client does not notice; at least 0. */
  readonly halfOpenAfterBytes?: number;
  /** Delays each byte by this long, both ways; at least 0. @default 0 */
  readonly delayMs?: number;
  /** Passes on at most this many bytes per write, both ways; at least 1. @default as they come */
  readonly writeBytes?: number;
  /** Reads at most this many bytes a second from the server, as a slow client does; at least 1. @default all */
  readonly readBytesPerSecond?: number;
}

/** Passes everything on. */
export const NO_FAULTS: Faults = {};

/**
 * Picks random faults for one connection: it is cut, left half open, or only slowed down, within its first bytes.
 * @param withinBytes a fault that ends the connection happens before this many bytes
 */
export function drawFaults(random: SeededRandom, withinBytes: number): Faults {
  switch (random.integer(0, 4)) {
    case 0:
      return { cutAfterBytes: random.integer(0, withinBytes - 1) };
    case 1:
      return { halfOpenAfterBytes: random.integer(0, withinBytes - 1) };
    case 2:
      return { delayMs: random.integer(1, 20) };
    case 3:
      return { writeBytes: 1 };
    default:
      return { cutAfterBytes: random.integer(0, withinBytes - 1), writeBytes: random.integer(1, 16) };
  }
}
