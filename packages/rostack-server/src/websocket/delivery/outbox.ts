import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { BufferBudget } from './buffer-budget.ts';
import { EMPTY_HALF, encodeFrameHalf, type FrameHalf } from './frame-half.ts';
import { textFrameHeaderBytes, writeTextFrameHeader } from './text-frame.ts';

/** A message of at least this many shared bytes is written by reference instead of being copied for each socket. */
const SHARE_FROM_BYTES = 16_384;
/** From this much waiting, writes report their completion, so that progress and relief are noticed. */
const WATCH_FROM_BYTES = 16_384;
/** What one waiting write costs beside its bytes: stream bookkeeping and buffer objects. */
const WRITE_OVERHEAD_BYTES = 256;
/** Messages below this size are not worth compressing. */
const COMPRESS_FROM_BYTES = 1_024;

export interface OutboxLimits {
  /** Above this many waiting bytes the connection takes no more events. */
  readonly pauseAboveBytes: number;
  /** Below this many it takes events again. */
  readonly resumeBelowBytes: number;
}

export interface OutboxOwner {
  /** Some waiting bytes left; `resumed` when events are wanted again. */
  outboxProgressed(resumed: boolean): void;
}

export interface OutboxOptions {
  readonly websocket: WebSocket;
  /** The stream under `websocket`: ready frames go to it directly, past `ws`. */
  readonly socket: Duplex;
  readonly limits: OutboxLimits;
  readonly budget: BufferBudget;
  /** True when permessage-deflate was negotiated: frames then go through `ws`. */
  readonly compress: boolean;
  readonly owner: OutboxOwner;
}

/**
 * The way out of one connection: collects messages, writes all of a turn as one buffer of frames, and says when
 * enough waits. It never queues without bound: whoever pushes events asks `isFull` first.
 */
export class Outbox {
  readonly #websocket: WebSocket;
  readonly #socket: Duplex;
  readonly #limits: OutboxLimits;
  readonly #budget: BufferBudget;
  readonly #compress: boolean;
  readonly #owner: OutboxOwner;
  /** Made with the first write that is watched: idle connections do without. */
  #onWritten: (() => void) | undefined;
  /** Pairs: what is the connection's own, then what it shares with others. */
  #halves: FrameHalf[] | undefined;
  #frameBytes = 0;
  #largestShared = 0;
  #watchedWrites = 0;
  #countedBytes = 0;
  #isFull = false;

  constructor(options: OutboxOptions) {
    this.#websocket = options.websocket;
    this.#socket = options.socket;
    this.#limits = options.limits;
    this.#budget = options.budget;
    this.#compress = options.compress;
    this.#owner = options.owner;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  get isEmpty(): boolean {
    return this.#halves === undefined;
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
    if (shared.byteLength > this.#largestShared) this.#largestShared = shared.byteLength;
    if (this.#frameBytes >= this.#limits.resumeBelowBytes) this.flush();
  }

  pushText(text: string): void {
    this.push(encodeFrameHalf([text, '']), EMPTY_HALF);
  }

  /** Sends one message at once and uncompressed, after all before it. */
  sendPlain(text: string): void {
    this.flush();
    if (!this.#compress) {
      this.pushText(text);
      this.flush();
    } else if (this.#websocket.readyState === WebSocket.OPEN) {
      this.#websocket.send(text, { compress: false });
    }
  }

  /** Forgets what was collected and not yet written. */
  discard(): void {
    this.#halves = undefined;
    this.#frameBytes = 0;
    this.#largestShared = 0;
  }

  /** Writes what was collected. */
  flush(): void {
    const halves = this.#halves;
    if (halves === undefined) return;
    const frameBytes = this.#frameBytes;
    const isShared = this.#largestShared >= SHARE_FROM_BYTES;
    this.discard();
    if (this.#websocket.readyState !== WebSocket.OPEN) return;
    if (this.#compress) this.#sendEach(halves);
    else if (isShared) this.#writeByReference(halves);
    else this.#writeCopied(halves, frameBytes);
    this.#measure();
  }

  /** Gives back what this connection counted in the common budget. */
  release(): void {
    this.discard();
    this.#budget.adjust(-this.#countedBytes);
    this.#countedBytes = 0;
  }

  #writeCopied(halves: readonly FrameHalf[], frameBytes: number): void {
    // A pooled slice that has to wait would keep its whole pool alive.
    const frames =
      this.#socket.writableLength > 0 ? Buffer.allocUnsafeSlow(frameBytes) : Buffer.allocUnsafe(frameBytes);
    let offset = 0;
    for (let index = 0; index < halves.length; index += 2) {
      const own = halves[index] ?? EMPTY_HALF;
      const shared = halves[index + 1] ?? EMPTY_HALF;
      offset = writeTextFrameHeader(frames, offset, own.byteLength + shared.byteLength);
      offset = put(frames, own.first, offset);
      offset = put(frames, shared.first, offset);
      offset = put(frames, own.second, offset);
      offset = put(frames, shared.second, offset);
    }
    this.#write(frames);
  }

  #writeByReference(halves: readonly FrameHalf[]): void {
    const socket = this.#socket;
    socket.cork();
    for (let index = 0; index < halves.length; index += 2) {
      const own = halves[index] ?? EMPTY_HALF;
      const shared = halves[index + 1] ?? EMPTY_HALF;
      const payloadBytes = own.byteLength + shared.byteLength;
      const head = Buffer.allocUnsafeSlow(
        textFrameHeaderBytes(payloadBytes) + payloadBytes - shared.second.byteLength,
      );
      let offset = writeTextFrameHeader(head, 0, payloadBytes);
      offset = put(head, own.first, offset);
      offset = put(head, shared.first, offset);
      put(head, own.second, offset);
      this.#write(head);
      if (shared.second.byteLength > 0) this.#write(shared.second);
    }
    socket.uncork();
  }

  #write(bytes: Buffer): void {
    const socket = this.#socket;
    if (socket.writableLength + bytes.byteLength < WATCH_FROM_BYTES) socket.write(bytes);
    else socket.write(bytes, this.#watched());
  }

  #sendEach(halves: readonly FrameHalf[]): void {
    for (let index = 0; index < halves.length; index += 2) {
      const own = halves[index] ?? EMPTY_HALF;
      const shared = halves[index + 1] ?? EMPTY_HALF;
      const message = Buffer.concat([own.first, shared.first, own.second, shared.second]);
      const compress = message.byteLength >= COMPRESS_FROM_BYTES;
      this.#websocket.send(message, { binary: false, compress }, this.#watched());
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
    const waiting = this.#measure();
    const resumed = this.#isFull && waiting < this.#limits.resumeBelowBytes;
    if (resumed) this.#isFull = false;
    this.#owner.outboxProgressed(resumed);
  }

  #waitingBytes(): number {
    const bytes = this.#compress ? this.#websocket.bufferedAmount : this.#socket.writableLength;
    return bytes + this.#watchedWrites * WRITE_OVERHEAD_BYTES;
  }

  #measure(): number {
    const limits = this.#limits;
    const budget = this.#budget;
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

/** Copies bytes to a place; returns where they end. */
function put(target: Buffer, bytes: Buffer, offset: number): number {
  if (bytes.byteLength > 0) target.set(bytes, offset);
  return offset + bytes.byteLength;
}
