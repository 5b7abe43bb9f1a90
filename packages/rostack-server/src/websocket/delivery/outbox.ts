import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import {
  copyBytes,
  EMPTY_HALF,
  encodeFrameHalf,
  type FrameHalf,
  textFrameHeaderBytes,
  writeTextFrameHeader,
} from './text-frame.ts';

/** Shared bytes from this size are written by reference instead of being copied for each socket. */
const SHARE_FROM_BYTES = 16_384;
/** From this much waiting, writes report their completion, so that progress and relief are noticed. */
const WATCH_FROM_BYTES = 16_384;
/** What one waiting write costs besides its bytes: stream bookkeeping and buffer objects. */
const WRITE_OVERHEAD_BYTES = 256;
/** Messages below this size are not worth compressing. */
const COMPRESS_FROM_BYTES = 1_024;

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
  /** True when permessage-deflate was negotiated: `ws`, which compresses, then writes the frames. */
  readonly compress: boolean;
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
  /** Pairs: what is the connection's own, then what it shares with others. */
  #halves: FrameHalf[] | undefined;
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
  push(own: FrameHalf, shared: FrameHalf): void {
    if (this.#halves === undefined) this.#halves = [own, shared];
    else this.#halves.push(own, shared);
    const payloadBytes = own.byteLength + shared.byteLength;
    this.#frameBytes += textFrameHeaderBytes(payloadBytes) + payloadBytes;
    if (isReferenced(shared)) this.#referencedBytes += shared.second.byteLength;
    if (this.#frameBytes >= this.#options.limits.resumeBelowBytes) this.flush();
  }

  pushText(text: string): void {
    this.push(encodeFrameHalf([text, '']), EMPTY_HALF);
  }

  /** Sends one message at once and uncompressed, after all before it. */
  sendPlain(text: string): void {
    this.flush();
    const { compress, websocket } = this.#options;
    if (!compress) {
      this.pushText(text);
      this.flush();
    } else if (websocket.readyState === WebSocket.OPEN) {
      websocket.send(text, { compress: false });
    }
  }

  /** Forgets what was collected and not yet written. */
  discard(): void {
    this.#halves = undefined;
    this.#frameBytes = 0;
    this.#referencedBytes = 0;
  }

  /** Writes what was collected. */
  flush(): void {
    const halves = this.#halves;
    if (halves === undefined) return;
    const copiedBytes = this.#frameBytes - this.#referencedBytes;
    this.discard();
    const { websocket, compress } = this.#options;
    if (websocket.readyState !== WebSocket.OPEN) return;
    if (compress) this.#sendCompressed(halves);
    else this.#writeFrames(halves, copiedBytes);
    this.#measure();
  }

  /** Gives back what this connection counted in the common budget. */
  release(): void {
    this.discard();
    this.#options.budget.adjust(-this.#countedBytes);
    this.#countedBytes = 0;
  }

  #writeFrames(halves: readonly FrameHalf[], copiedBytes: number): void {
    const { socket } = this.#options;
    // A pooled slice that has to wait would keep its whole pool alive.
    const copied =
      socket.writableLength > 0 ? Buffer.allocUnsafeSlow(copiedBytes) : Buffer.allocUnsafe(copiedBytes);
    let start = 0;
    let end = 0;
    socket.cork();
    for (let index = 0; index < halves.length; index += 2) {
      const own = halves[index] ?? EMPTY_HALF;
      const shared = halves[index + 1] ?? EMPTY_HALF;
      end = writeTextFrameHeader(copied, end, own.byteLength + shared.byteLength);
      end = copyBytes(copied, own.first, end);
      end = copyBytes(copied, shared.first, end);
      end = copyBytes(copied, own.second, end);
      if (isReferenced(shared)) {
        this.#write(copied.subarray(start, end));
        this.#write(shared.second);
        start = end;
      } else {
        end = copyBytes(copied, shared.second, end);
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

  #sendCompressed(halves: readonly FrameHalf[]): void {
    for (let index = 0; index < halves.length; index += 2) {
      const own = halves[index] ?? EMPTY_HALF;
      const shared = halves[index + 1] ?? EMPTY_HALF;
      const message = Buffer.concat([own.first, shared.first, own.second, shared.second]);
      const compress = message.byteLength >= COMPRESS_FROM_BYTES;
      this.#options.websocket.send(message, { binary: false, compress }, this.#watched());
    }
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
    const { compress, websocket, socket } = this.#options;
    const bytes = compress ? websocket.bufferedAmount : socket.writableLength;
    return bytes + this.#watchedWrites * WRITE_OVERHEAD_BYTES;
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

function isReferenced(shared: FrameHalf): boolean {
  return shared.second.byteLength >= SHARE_FROM_BYTES;
}
