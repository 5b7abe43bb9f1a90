import type { SeededRandom } from 'rostack-core/testing';

/** What a network does to one connection. Bytes are those of TCP: under TLS they are not those of messages. */
export interface Faults {
  /** Breaks the connection, seen by both peers, once so many bytes have gone to the client; at least 0. */
  readonly cutAfterBytes?: number;
  /** Once so many bytes have gone to the client, the server is gone and the client is not told; at least 0. */
  readonly halfOpenAfterBytes?: number;
  /** Holds each byte back for so long, both ways; at least 0. @default 0 */
  readonly delayMs?: number;
  /** Passes on at most so many bytes with one write, both ways; at least 1. @default as they come */
  readonly writeBytes?: number;
  /** Reads no more than so many bytes a second from the server, as a slow client does; at least 1. @default all */
  readonly readBytesPerSecond?: number;
}

/** Passes everything on. */
export const NO_FAULTS: Faults = {};

/**
 * Draws the faults of one connection: it is cut, left half open, or only slowed, within its first bytes.
 * @param withinBytes what ends the connection comes before so many bytes
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
