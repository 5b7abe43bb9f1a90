import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { BufferBudget, Outbox } from './outbox.ts';

const LIMITS = { pauseAboveBytes: 60_000, resumeBelowBytes: 20_000 };
/** Header of a message of less than 64 KiB. */
const HEADER_BYTES = 4;

/** A socket that completes each write when the test decides. */
class HeldSocket extends Duplex {
  readonly #sent: (() => void)[] = [];

  override _read(): void {}

  override _write(_chunk: Buffer, _encoding: BufferEncoding, sent: () => void): void {
    this.#sent.push(sent);
  }

  /** Completes the oldest pending write; false if there is none. */
  async send(): Promise<boolean> {
    const sent = this.#sent.shift();
    sent?.();
    // The stream reports it in its next turn.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    return sent !== undefined;
  }
}

function setUp(budget = new BufferBudget(1_000_000)) {
  const socket = new HeldSocket();
  const progress: boolean[] = [];
  const outbox = new Outbox({
    websocket: { readyState: WebSocket.OPEN } as WebSocket,
    socket,
    limits: LIMITS,
    budget,
    deflateUpToBytes: 0,
    owner: { outboxProgressed: (resumed) => progress.push(resumed) },
  });
  return {
    socket,
    outbox,
    budget,
    progress,
    /** Writes a message for this connection only, of this many bytes. */
    write: (bytes: number): void => {
      outbox.pushText('x'.repeat(bytes - HEADER_BYTES));
      outbox.flush();
    },
  };
}

describe('what waits for a socket', () => {
  test('is counted in the common budget from 16 KiB on, and until it is sent', async () => {
    const { socket, budget, outbox, write } = setUp();
    write(10_000);
    expect(budget.usedBytes).toBe(0);
    write(10_000);
    expect(budget.usedBytes).toBeGreaterThanOrEqual(20_000);
    expect(outbox.bufferedBytes).toBe(budget.usedBytes);
    while (await socket.send());
    expect([budget.usedBytes, outbox.bufferedBytes]).toEqual([0, 0]);
  });

  test('is given back to the common budget when the connection goes, also what no completed write reported', async () => {
    const { socket, budget, outbox, write } = setUp();
    const other = setUp(budget);
    other.write(30_000);
    const ofOther = budget.usedBytes;
    write(10_000);
    write(10_000);
    await socket.send();
    // A small write follows that does not report its completion.
    write(3_000);
    await socket.send();
    expect(budget.usedBytes - ofOther).toBe(3_000);
    await socket.send();
    outbox.release();
    expect(budget.usedBytes).toBe(ofOther);
    outbox.release();
    expect(budget.usedBytes).toBe(ofOther);
  });

  test('pauses its connection above the limit, not at it, and until less waits than is resumed at', async () => {
    const { socket, outbox, progress, write } = setUp();
    const overhead = 2 * 256;
    write(30_000);
    write(LIMITS.pauseAboveBytes - overhead - 30_000);
    expect([outbox.bufferedBytes, outbox.isFull]).toEqual([LIMITS.pauseAboveBytes, false]);
    write(10_000);
    expect(outbox.isFull).toBe(true);
    await socket.send();
    expect([outbox.isFull, progress]).toEqual([true, [false]]);
    await socket.send();
    expect([outbox.isFull, progress]).toEqual([false, [false, true]]);
  });

  test('pauses it at the lower limit while all connections together have too much', () => {
    const budget = new BufferBudget(100_000);
    const other = setUp(budget);
    const { outbox, write } = setUp(budget);
    write(30_000);
    expect([budget.isExhausted, outbox.isFull]).toEqual([false, false]);
    other.write(50_000);
    other.write(50_000);
    expect([budget.isExhausted, other.outbox.isFull]).toEqual([true, true]);
    write(100);
    expect(outbox.isFull).toBe(true);
  });

  test('is dropped with the connection where it was not written yet', () => {
    const { socket, outbox } = setUp();
    outbox.pushText('one');
    outbox.release();
    outbox.flush();
    expect([socket.writableLength, outbox.bufferedBytes]).toEqual([0, 0]);
  });
});
