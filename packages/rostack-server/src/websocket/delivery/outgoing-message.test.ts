import { createHash } from 'node:crypto';
import { constants, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { Inflate } from 'fflate';
import { describe, expect, test } from 'vitest';
import { BufferPool } from './buffer-pool.ts';
import {
  copyBytes,
  createOutgoingMessage,
  encodeFrameHalf,
  messageFrameBytes,
  type OutgoingMessage,
  SharedPayload,
  writeMessageStart,
} from './text-frame.ts';

const ANY_SIZE = Number.POSITIVE_INFINITY;
const FLUSH_END = Buffer.from([0x00, 0x00, 0xff, 0xff]);
const WINDOW_BYTES = 32_768;
const REPETITIVE = 'station and level, station and level, '.repeat(40);

interface Halves {
  readonly own: readonly [string, string];
  readonly shared: readonly [string, string];
}

function makeMessage({ own, shared }: Halves, deflateUpToBytes = ANY_SIZE): OutgoingMessage {
  return createOutgoingMessage(
    encodeFrameHalf(own),
    new SharedPayload(shared, new BufferPool()),
    deflateUpToBytes,
  );
}

const whole = ({ own, shared }: Halves): string => `${own[0]}${shared[0]}${own[1]}${shared[1]}`;

function writeFrame(message: OutgoingMessage): Buffer {
  const frame = Buffer.alloc(messageFrameBytes(message), 0xee);
  const end = copyBytes(frame, message.tail, writeMessageStart(frame, 0, message));
  expect(end).toBe(frame.byteLength);
  return frame;
}

/** Reads a frame that has to be a single one (RFC 6455 section 5.2). */
function readFrame(frame: Buffer): { readonly isDeflated: boolean; readonly payload: Buffer } {
  const lengthForm = frame[1] ?? 0;
  const start = lengthForm < 126 ? 2 : lengthForm === 126 ? 4 : 10;
  const length =
    lengthForm < 126 ? lengthForm : lengthForm === 126 ? frame.readUInt16BE(2) : frame.readBigUInt64BE(2);
  expect(Number(length)).toBe(frame.byteLength - start);
  expect([0x81, 0xc1]).toContain(frame[0]);
  return { isDeflated: frame[0] === 0xc1, payload: frame.subarray(start) };
}

/** Inflates the payloads of one connection, one after the other. */
type Inflater = (payload: Buffer) => string;

/** Node's zlib, with the preceding output as its window. */
function zlibKeepingWindow(): Inflater {
  let before = Buffer.alloc(0);
  return (payload) => {
    const inflated = inflateRawSync(Buffer.concat([payload, FLUSH_END]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      ...(before.byteLength > 0 && { dictionary: before }),
    });
    before = Buffer.concat([before, inflated]).subarray(-WINDOW_BYTES);
    return inflated.toString('utf8');
  };
}

/** fflate, which keeps its window, because a message does not end the stream. */
function fflateKeepingWindow(): Inflater {
  let chunks: Uint8Array[] = [];
  const stream = new Inflate((chunk) => chunks.push(chunk));
  return (payload) => {
    chunks = [];
    stream.push(Buffer.concat([payload, FLUSH_END]));
    return Buffer.concat(chunks).toString('utf8');
  };
}

const INFLATERS: Readonly<Record<string, () => Inflater>> = {
  'zlib with its window kept': zlibKeepingWindow,
  'zlib with a window for each message': () => (payload) => zlibKeepingWindow()(payload),
  'fflate with its window kept': fflateKeepingWindow,
  'fflate with a window for each message': () => (payload) => fflateKeepingWindow()(payload),
};

/** Describes a text, briefly enough to print if a property fails. */
interface TextPlan {
  readonly seed: string;
  readonly length: number;
  readonly isRandom: boolean;
}

function makeText({ seed, length, isRandom }: TextPlan): string {
  const part = isRandom
    ? createHash('shake256', { outputLength: length + 1 })
        .update(seed)
        .digest('base64')
    : seed;
  return part
    .repeat(Math.ceil(length / part.length))
    .slice(0, length)
    .toWellFormed();
}

const textOf = (length: fc.Arbitrary<number>): fc.Arbitrary<TextPlan> =>
  fc.record({
    seed: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    length,
    isRandom: fc.boolean(),
  });
const near = (bytes: number): fc.Arbitrary<number> => fc.integer({ min: bytes - 4, max: bytes + 4 });
const short = textOf(fc.nat(80));
const any = textOf(
  fc.oneof(fc.nat(3_000), near(512), near(32_768), near(65_535), near(87_380), fc.nat(200_000)),
);
/** Plans of the pieces, in their order: own, shared, own, shared. */
const plans = fc.tuple(
  fc.oneof({ arbitrary: short, weight: 5 }, { arbitrary: any, weight: 1 }),
  short,
  short,
  any,
);

function makeHalves([first, second, third, fourth]: readonly [
  TextPlan,
  TextPlan,
  TextPlan,
  TextPlan,
]): Halves {
  return { own: [makeText(first), makeText(third)], shared: [makeText(second), makeText(fourth)] };
}

describe('what a client inflates is what was written', () => {
  test.each(Object.entries(INFLATERS))('%s', (_name, createInflater) => {
    fc.assert(
      fc.property(fc.array(plans, { minLength: 1, maxLength: 5 }), (messages) => {
        const inflate = createInflater();
        for (const message of messages.map(makeHalves)) {
          const { isDeflated, payload } = readFrame(writeFrame(makeMessage(message)));
          const text = isDeflated ? inflate(payload) : payload.toString('utf8');
          // Not `toBe`, which would compare and print hundreds of kilobytes.
          expect(text === whole(message)).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('a message is deflated', () => {
  const isDeflated = (message: Halves, deflateUpToBytes?: number) =>
    makeMessage(message, deflateUpToBytes).isDeflated;
  const halvesOf = (second: string, first = 'own'): Halves => ({ own: [first, ''], shared: ['', second] });

  test('from 512 shared bytes on', () => {
    expect(isDeflated(halvesOf('a'.repeat(511)))).toBe(false);
    expect(isDeflated(halvesOf('a'.repeat(512)))).toBe(true);
  });

  test('up to what the window of the client holds', () => {
    expect(isDeflated(halvesOf('a'.repeat(1_024)), 1_024)).toBe(true);
    expect(isDeflated(halvesOf('a'.repeat(1_025)), 1_024)).toBe(false);
  });

  test('where what is its own fits into one stored block', () => {
    expect(isDeflated(halvesOf(REPETITIVE, 'a'.repeat(65_535)))).toBe(true);
    expect(isDeflated(halvesOf(REPETITIVE, 'a'.repeat(65_536)))).toBe(false);
  });

  test('once for all who get it', () => {
    const shared = new SharedPayload(['', REPETITIVE], new BufferPool());
    const [one, other] = ['s1', 's2'].map((id) =>
      createOutgoingMessage(encodeFrameHalf([id, '']), shared, ANY_SIZE),
    );
    expect(one?.tail.byteLength).toBeLessThan(REPETITIVE.length / 10);
    expect(one?.tail).toBe(other?.tail);
  });
});
