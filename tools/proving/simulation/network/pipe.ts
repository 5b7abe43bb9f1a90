import type { Random } from 'test-support/random';
import type { Scheduler } from '../time/scheduler.ts';
import type { SimProcess } from '../time/sim-process.ts';

/** Bytes that may be under way before a writer has to wait. */
const WINDOW_BYTES = 16_384;

interface Packet {
  readonly bytes: Buffer;
  readonly onAccepted: () => void;
}

/** One direction of a connection: in order, with latency, and with a window that fills when the other end does not take. */
export class Pipe {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #from: SimProcess;
  readonly #to: SimProcess;
  readonly #onBytes: (bytes: Buffer) => void;
  readonly #waiting: Packet[] = [];
  readonly #held: Buffer[] = [];
  #flyingBytes = 0;
  #arrivesAtMs = 0;
  #isStalled = false;
  /** Bytes vanish, and nobody notices. */
  isDead = false;

  constructor(
    scheduler: Scheduler,
    random: Random,
    from: SimProcess,
    to: SimProcess,
    onBytes: (bytes: Buffer) => void,
  ) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#from = from;
    this.#to = to;
    this.#onBytes = onBytes;
  }

  /** @param onAccepted called when another write is welcome */
  write(bytes: Buffer, onAccepted: () => void): void {
    this.#waiting.push({ bytes, onAccepted });
    this.#fly();
  }

  /** Nothing arrives for a while; it is kept. */
  stall(forMs: number): void {
    this.#isStalled = true;
    this.#scheduler.after(forMs, () => {
      this.#isStalled = false;
      for (const bytes of this.#held.splice(0)) this.#arrive(bytes);
    });
  }

  #fly(): void {
    while (this.#flyingBytes < WINDOW_BYTES) {
      const packet = this.#waiting.shift();
      if (packet === undefined) return;
      this.#flyingBytes += packet.bytes.byteLength;
      this.#arrivesAtMs = Math.max(this.#arrivesAtMs, this.#scheduler.nowMs + this.#random.int(0, 3));
      this.#scheduler.after(this.#arrivesAtMs - this.#scheduler.nowMs, () => {
        if (this.#isStalled) this.#held.push(packet.bytes);
        else this.#arrive(packet.bytes);
      });
      queueMicrotask(packet.onAccepted);
    }
  }

  #arrive(bytes: Buffer): void {
    if (this.isDead) return;
    this.#to.enter(() => {
      if (this.isDead) return;
      this.#flyingBytes -= bytes.byteLength;
      this.#onBytes(bytes);
      if (this.#waiting.length > 0) this.#from.enter(() => this.#fly());
    });
  }
}
