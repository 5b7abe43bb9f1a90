import type { Socket } from 'node:net';
import type { Faults } from './faults.ts';

const MAX_QUEUED_BYTES = 65_536;

interface Piece {
  readonly bytes: Buffer;
  readonly dueMs: number;
}

/** Carries bytes one way, in order: late, in small pieces, slowly or not at all, depending on the faults. */
export class Pump {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #faults: Faults;
  readonly #onPassed: (bytes: number) => number;
  readonly #queue: Piece[] = [];
  #queuedBytes = 0;
  #moreDelayMs = 0;
  #isStalled = false;
  #isDeaf = false;
  #hasEnded = false;
  #paidUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onPassed called with the number of bytes about to leave; returns how many of them may */
  constructor(from: Socket, to: Socket, faults: Faults, onPassed: (bytes: number) => number) {
    this.#from = from;
    this.#to = to;
    this.#faults = faults;
    this.#onPassed = onPassed;
    from.on('data', (bytes: Buffer) => this.#take(bytes));
    from.on('end', () => {
      this.#hasEnded = true;
      this.#flush();
    });
    to.on('drain', () => this.#flush());
    from.resume();
  }

  /** Delays what comes from now on by this long more than the faults say. */
  delay(delayMs: number): void {
    this.#moreDelayMs = delayMs;
  }

  /** Stops sending, and soon also reading, until `resume`. */
  stall(): void {
    this.#isStalled = true;
  }

  resume(): void {
    this.#isStalled = false;
    this.#flush();
  }

  /** Discards everything from now on, as a network does when there is no receiver left. */
  deafen(): void {
    this.#isDeaf = true;
    this.#queue.length = 0;
    this.#from.resume();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#isDeaf = true;
  }

  #take(bytes: Buffer): void {
    if (this.#isDeaf) return;
    const dueMs = performance.now() + (this.#faults.delayMs ?? 0) + this.#moreDelayMs;
    const { writeBytes = bytes.byteLength } = this.#faults;
    for (let start = 0; start < bytes.byteLength; start += writeBytes) {
      this.#queue.push({ bytes: bytes.subarray(start, start + writeBytes), dueMs });
    }
    this.#queuedBytes += bytes.byteLength;
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    while (!this.#isDeaf && !this.#isStalled && this.#to.writable && !this.#to.writableNeedDrain) {
      const next = this.#queue[0];
      if (next === undefined) break;
      const waitMs = Math.max(next.dueMs, this.#paidUntilMs) - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#flush(), waitMs);
        break;
      }
      this.#queue.shift();
      this.#send(next.bytes);
    }
    if (this.#isDeaf) return;
    if (this.#hasEnded && this.#queue.length === 0) this.#to.end();
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#from.pause();
    else this.#from.resume();
  }

  #send(bytes: Buffer): void {
    this.#queuedBytes -= bytes.byteLength;
    const { readBytesPerSecond } = this.#faults;
    if (readBytesPerSecond !== undefined) {
      this.#paidUntilMs = performance.now() + (bytes.byteLength * 1_000) / readBytesPerSecond;
    }
    const passing = this.#onPassed(bytes.byteLength);
    if (passing > 0) this.#to.write(bytes.subarray(0, passing));
  }
}
