import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import {
  copyBytes,
  createOutgoingMessage,
  encodeFrameHalf,
  type FrameHalf,
  messageFrameBytes,
  NOTHING_SHARED,
  type OutgoingMessage,
  type SharedPayload,
  writeMessageStart,
} from './text-frame.ts';

/** From this size on, shared bytes are written by reference instead of being copied for each socket. */
const SHARE_FROM_BYTES = 16_384;
/** When at least this much is waiting, writes report their completion, so that progress is noticed. */
const WATCH_FROM_BYTES = 16_384;
/** What one waiting write costs besides its bytes: stream bookkeeping and buffer objects. */
const WRITE_OVERHEAD_BYTES = 256;

/** Counts the bytes waiting in all sockets of a gateway together. */
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
  /** Called when some waiting bytes were sent; `resumed` if events are wanted again. */
  outboxProgressed(resumed: boolean): void;
}

export interface OutboxOptions {
  readonly websocket: WebSocket;
  /** The stream under `websocket`: frames are written to it directly, bypassing `ws`. */
  readonly socket: Duplex;
  /** Above `pauseAboveBytes` waiting bytes the connection takes no more events, below `resumeBelowBytes` it takes them again. */
  readonly limits: { readonly pauseAboveBytes: number; readonly resumeBelowBytes: number };
  readonly budget: BufferBudget;
  /** The largest shared piece that this client can inflate, in bytes; 0 without permessage-deflate. */
  readonly deflateUpToBytes: number;
  readonly owner: OutboxOwner;
}

/**
 * The outgoing side of one connection: collects messages, writes all messages of a turn in one write, and says when too much is waiting.
 * The queue stays bounded because callers check `isFull` before pushing events.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  /** Created with the first watched write, to save memory on idle connections. */
  #onWritten: (() => void) | undefined;
  #messages: OutgoingMessage[] | undefined;
  #frameBytes = 0;
  /** How many of the frames' bytes are not copied. */
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

  /** Waiting bytes: collected messages, the stream's buffer, and the overhead of keeping them. */
  get bufferedBytes(): number {
    return this.#frameBytes + this.#waitingBytes();
  }

  /** Adds one message. */
  push(own: FrameHalf, shared: SharedPayload): void {
    const message = createOutgoingMessage(own, shared, this.#options.deflateUpToBytes);
    if (this.#messages === undefined) this.#messages = [message];
    else this.#messages.push(message);
    this.#frameBytes += messageFrameBytes(message);
    if (isReferenced(message)) this.#referencedBytes += message.tail.byteLength;
    if (this.#frameBytes >= this.#options.limits.resumeBelowBytes) this.flush();
  }

  /** Adds a message for this connection only, which is never compressed. */
  pushText(text: string): void {
    this.push(encodeFrameHalf([text, '']), NOTHING_SHARED);
  }

  /** Drops messages that were collected but not yet written. */
  discard(): void {
    this.#messages = undefined;
    this.#frameBytes = 0;
    this.#referencedBytes = 0;
  }

  /** Writes the collected messages. */
  flush(): void {
    const messages = this.#messages;
    if (messages === undefined) return;
    const copiedBytes = this.#frameBytes - this.#referencedBytes;
    this.discard();
    if (this.#options.websocket.readyState !== WebSocket.OPEN) return;
    this.#writeFrames(messages, copiedBytes);
    this.#measure();
  }

  /** Removes this connection's share from the common budget. */
  release(): void {
    this.discard();
    this.#options.budget.adjust(-this.#countedBytes);
    this.#countedBytes = 0;
  }

  #writeFrames(messages: readonly OutgoingMessage[], copiedBytes: number): void {
    const { socket } = this.#options;
    // If the write has to wait, a pooled slice would keep its whole pool alive.
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

  /** Counts the waiting bytes in the common budget, and notices when there are too many. */
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
