import type { Socket } from 'node:net';

const MAX_QUEUED_BYTES = 65_536;

/** Carries bytes one way, late or not at all when told so, in order, with the reader's pace. */
export class Pump {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #queue: { readonly bytes: Buffer; readonly dueMs: number }[] = [];
  #queuedBytes = 0;
  #delayMs = 0;
  #isStalled = false;
  #isDeaf = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket) {
    this.#from = from;
    this.#to = to;
    from.on('data', (bytes) => this.#take(bytes));
    to.on('drain', () => this.#flush());
    from.resume();
  }

  /** What comes from now on leaves that much later. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Nothing leaves, and soon nothing is read, until `resume`. */
  stall(): void {
    this.#isStalled = true;
  }

  resume(): void {
    this.#isStalled = false;
    this.#flush();
  }

  /** Swallows everything from now on, as a network does after which nobody listens any more. */
  deafen(): void {
    this.#isDeaf = true;
    this.#queue.length = 0;
    this.#from.resume();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #take(bytes: Buffer): void {
    if (this.#isDeaf) return;
    this.#queue.push({ bytes, dueMs: performance.now() + this.#delayMs });
    this.#queuedBytes += bytes.byteLength;
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    if (this.#isDeaf) return;
    while (!this.#isStalled && this.#to.writable && !this.#to.writableNeedDrain) {
      const next = this.#queue[0];
      if (next === undefined) break;
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#flush(), waitMs);
        break;
      }
      this.#queue.shift();
      this.#queuedBytes -= next.bytes.byteLength;
      this.#to.write(next.bytes);
    }
    if (this.#queuedBytes > MAX_QUEUED_BYTES) this.#from.pause();
    else this.#from.resume();
  }
}
