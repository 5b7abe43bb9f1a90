import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import {
  copyBytes,
  createOutgoingMessage,
  messageFrameBytes,
  type OutgoingMessage,
  writeMessageStart,
} from './outgoing-message.ts';
import { NOTHING_SHARED, type SharedHalf } from './shared-half.ts';
import { encodeFrameHalf, type FrameHalf } from './text-frame.ts';

/** Shared bytes from this size are written by reference instead of being copied for each socket. */
const SHARE_FROM_BYTES = 16_384;
/** From this much waiting, writes report their completion, so that progress and relief are noticed. */
const WATCH_FROM_BYTES = 16_384;
/** What one waiting write costs besides its bytes: stream bookkeeping and buffer objects. */
const WRITE_OVERHEAD_BYTES = 256;

/** Counts the bytes that wait in all sockets of a gateway together. */
export class BufferBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  /** @param maxBytes above this every congested connection is paused at its low-water mark */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get isExhausted(): boolean {
    return this.#usedBytes > this.#maxBytes;
  }

  adjust(byBytes: number): void {
    this.#usedBytes += byBytes;
  }
}

export interface OutboxOwner {
  /** Some waiting bytes left; `resumed` when events are wanted again. */
  outboxProgressed(resumed: boolean): void;
}

export interface OutboxOptions {
  readonly websocket: WebSocket;
  /** The stream under `websocket`: frames go to it directly, past `ws`. */
  readonly socket: Duplex;
  /** Above `pauseAboveBytes` waiting bytes the connection takes no more events, below `resumeBelowBytes` it does again. */
  readonly limits: { readonly pauseAboveBytes: number; readonly resumeBelowBytes: number };
  readonly budget: BufferBudget;
  /** The largest shared piece that this client can inflate, in bytes; 0 without permessage-deflate. */
  readonly deflateUpToBytes: number;
  readonly owner: OutboxOwner;
}

/**
 * The way out of one connection: collects messages, writes all of a turn in one write, and says when too much waits. It
 * never queues without bound: whoever pushes events asks `isFull` first.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  /** Made with the first write that is watched: idle connections do without. */
  #onWritten: (() => void) | undefined;
  #messages: OutgoingMessage[] | undefined;
  #frameBytes = 0;
  /** Those of the frames' bytes that are not copied. */
  #referencedBytes = 0;
  #watchedWrites = 0;
  #countedBytes = 0;
  #isFull = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Bytes that wait: collected, in the stream, and the cost of keeping them. */
  get bufferedBytes(): number {
    return this.#frameBytes + this.#waitingBytes();
  }

  /** Adds one message. */
  push(own: FrameHalf, shared: SharedHalf): void {
    const message = createOutgoingMessage(own, shared, this.#options.deflateUpToBytes);
    if (this.#messages === undefined) this.#messages = [message];
    else this.#messages.push(message);
    this.#frameBytes += messageFrameBytes(message);
    if (isReferenced(message)) this.#referencedBytes += message.tail.byteLength;
    if (this.#frameBytes >= this.#options.limits.resumeBelowBytes) this.flush();
  }

  /** Adds a message that is the connection's own: it is never compressed. */
  pushText(text: string): void {
    this.push(encodeFrameHalf([text, '']), NOTHING_SHARED);
  }

  /** Forgets what was collected and not yet written. */
  discard(): void {
    this.#messages = undefined;
    this.#frameBytes = 0;
    this.#referencedBytes = 0;
  }

  /** Writes what was collected. */
  flush(): void {
    const messages = this.#messages;
    if (messages === undefined) return;
    const copiedBytes = this.#frameBytes - this.#referencedBytes;
    this.discard();
    if (this.#options.websocket.readyState !== WebSocket.OPEN) return;
    this.#writeFrames(messages, copiedBytes);
    this.#measure();
  }

  /** Gives back what this connection counted in the common budget. */
  release(): void {
    this.discard();
    this.#options.budget.adjust(-this.#countedBytes);
    this.#countedBytes = 0;
  }

  #writeFrames(messages: readonly OutgoingMessage[], copiedBytes: number): void {
    const { socket } = this.#options;
    // A pooled slice that has to wait would keep its whole pool alive.
    const copied =
      socket.writableLength > 0 ? Buffer.allocUnsafeSlow(copiedBytes) : Buffer.allocUnsafe(copiedBytes);
    let start = 0;
    let end = 0;
    socket.cork();
    for (const message of messages) {
      end = writeMessageStart(copied, end, message);
      if (isReferenced(message)) {
        this.#write(copied.subarray(start, end));
        this.#write(message.tail);
        start = end;
      } else {
        end = copyBytes(copied, message.tail, end);
      }
    }
    if (end > start) this.#write(copied.subarray(start, end));
    socket.uncork();
  }

  #write(bytes: Buffer): void {
    const { socket } = this.#options;
    if (socket.writableLength + bytes.byteLength < WATCH_FROM_BYTES) socket.write(bytes);
    else socket.write(bytes, this.#watched());
  }

  /** Counts a write that reports its completion. */
  #watched(): () => void {
    this.#watchedWrites += 1;
    this.#onWritten ??= () => this.#written();
    return this.#onWritten;
  }

  #written(): void {
    this.#watchedWrites -= 1;
    const { limits, owner } = this.#options;
    const resumed = this.#measure() < limits.resumeBelowBytes && this.#isFull;
    if (resumed) this.#isFull = false;
    owner.outboxProgressed(resumed);
  }

  #waitingBytes(): number {
    return this.#options.socket.writableLength + this.#watchedWrites * WRITE_OVERHEAD_BYTES;
  }

  /** Counts what waits in the common budget, and notices when it is too much. */
  #measure(): number {
    const { limits, budget } = this.#options;
    const waiting = this.#waitingBytes();
    if (waiting >= WATCH_FROM_BYTES || this.#countedBytes > 0) {
      budget.adjust(waiting - this.#countedBytes);
      this.#countedBytes = waiting;
    }
    const pauseAbove = budget.isExhausted ? limits.resumeBelowBytes : limits.pauseAboveBytes;
    if (waiting > pauseAbove) this.#isFull = true;
    return waiting;
  }
}

function isReferenced({ tail }: OutgoingMessage): boolean {
  return tail.byteLength >= SHARE_FROM_BYTES;
}
