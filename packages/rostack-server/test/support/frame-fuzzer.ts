import { connect, type Socket } from 'node:net';
import { CLOSE_CODES, parseServerMessage } from 'rostack-core';
import { bytesOf, createRandom } from 'test-support/random';

const DECLARED_CODES: ReadonlySet<number> = new Set(Object.values(CLOSE_CODES));

export interface FuzzReport {
  readonly framesSent: number;
  readonly connections: number;
  readonly messagesReceived: number;
  /** How often each close code came; 0: the connection ended without a close frame. */
  readonly closes: ReadonlyMap<number, number>;
  /** What no gateway may do. */
  readonly violations: readonly string[];
}

interface Tally {
  framesSent: number;
  connections: number;
  messagesReceived: number;
  readonly closes: Map<number, number>;
  readonly violations: string[];
}

export interface FuzzOptions {
  readonly url: string;
  readonly token: () => string;
  readonly frames: number;
  readonly seed: number;
  /** @default 8 */
  readonly concurrency?: number;
}

const FRAMES_PER_CONNECTION = 250;

/** Sends well-formed, mutated and random frames to a gateway and checks what it answers. */
export async function fuzzGateway(options: FuzzOptions): Promise<FuzzReport> {
  const tally: Tally = {
    framesSent: 0,
    connections: 0,
    messagesReceived: 0,
    closes: new Map(),
    violations: [],
  };
  const { concurrency = 8, seed } = options;
  await Promise.all(
    Array.from({ length: concurrency }, async (_, index) => {
      const random = createRandom(seed * 1_000 + index).number;
      while (tally.framesSent < options.frames) await fuzzOnce(options, random, tally);
    }),
  );
  return tally;
}

async function fuzzOnce(options: FuzzOptions, random: () => number, tally: Tally): Promise<void> {
  const { hostname, port, pathname } = new URL(options.url);
  const socket = connect(Number(port), hostname);
  let askedToClose = false;
  const reader = new FrameReader((opcode, payload) => {
    if (opcode === 1) {
      tally.messagesReceived += 1;
      try {
        parseServerMessage(payload.toString('utf8'));
      } catch (error) {
        tally.violations.push(`${String(error)}: ${payload.toString('utf8').slice(0, 200)}`);
      }
    } else if (opcode === 8) {
      const code = payload.byteLength >= 2 ? payload.readUInt16BE(0) : 1005;
      tally.closes.set(code, (tally.closes.get(code) ?? 0) + 1);
      if (!DECLARED_CODES.has(code) && !askedToClose) tally.violations.push(`closed with ${code}`);
      socket.end();
    }
  });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.on('data', (chunk) => reader.push(chunk));
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${bytesOf(random, 16).toString('base64')}\r\nSec-WebSocket-Protocol: rostack.v1\r\n\r\n`,
  );
  tally.connections += 1;
  if (random() < 0.9) socket.write(textFrame(authenticateText(options.token())));
  const count = 1 + Math.floor(random() * FRAMES_PER_CONNECTION);
  for (let index = 0; index < count && socket.writable; index += 1) {
    const frame = drawFrame(random);
    askedToClose ||= frame.asksToClose;
    tally.framesSent += 1;
    if (!socket.write(frame.bytes)) await Promise.race([drained(socket), ended]);
    if (index % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  askedToClose = true;
  socket.end(maskedFrame(0x88, Buffer.from([0x03, 0xe8])));
  const timer = setTimeout(() => socket.destroy(), 2_000);
  await ended;
  clearTimeout(timer);
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('drain', () => resolve()));
}

function authenticateText(token: string): string {
  return JSON.stringify({ type: 'authenticate', method: 'shared_token', token });
}

interface DrawnFrame {
  readonly bytes: Buffer;
  readonly asksToClose: boolean;
}

function drawFrame(random: () => number): DrawnFrame {
  const kind = random();
  if (kind < 0.6) return text(JSON.stringify(drawMessage(random)));
  if (kind < 0.97) return text(JSON.stringify(distort(drawMessage(random), random)));
  if (kind < 0.985) return text(mutate(JSON.stringify(drawMessage(random)), random));
  if (kind < 0.989) return { bytes: maskedFrame(0x89, Buffer.from('ping')), asksToClose: false };
  if (kind < 0.992) return { bytes: maskedFrame(0x82, bytesOf(random, 20)), asksToClose: false };
  if (kind < 0.994) return text(`"${'x'.repeat(70_000)}"`);
  if (kind < 0.996) {
    const code = Buffer.alloc(2);
    code.writeUInt16BE(Math.floor(random() * 65_536));
    return { bytes: maskedFrame(0x88, code), asksToClose: true };
  }
  return { bytes: bytesOf(random, 1 + Math.floor(random() * 40)), asksToClose: false };
}

function text(content: string): DrawnFrame {
  return { bytes: textFrame(content), asksToClose: false };
}

const pick = <T>(random: () => number, values: readonly T[]): T | undefined =>
  values[Math.floor(random() * values.length)];

const SCALARS = [null, true, 0, -0, 1e308, 2 ** 53, '', 'Seoul', '\u0000', '🛰', '__proto__', 'constructor'];
const POINTERS = ['/city', '/height', '/note', '/__proto__', '/a/length', '/-', '', 'city', '/~2'];
const OPERATORS = ['eq', 'ne', 'gt', 'in', 'nin', 'contains', 'exists', 'like', '__proto__'];

function drawFilter(random: () => number, depth: number): unknown {
  const kind = random();
  if (depth > 0 && kind < 0.2) return { $not: drawFilter(random, depth - 1) };
  if (depth > 0 && kind < 0.4)
    return { $and: [drawFilter(random, depth - 1), drawFilter(random, depth - 1)] };
  if (kind < 0.45) return pick(random, SCALARS);
  const operator = pick(random, OPERATORS) ?? 'eq';
  const operand = random() < 0.3 ? [pick(random, SCALARS), pick(random, SCALARS)] : pick(random, SCALARS);
  return { [pick(random, POINTERS) ?? '/city']: { [operator]: operand } };
}

function drawMessage(random: () => number): object {
  const subscription_id = `s${Math.floor(random() * 20)}`;
  const kind = random();
  if (kind < 0.2) return { type: 'ping', id: `${random()}` };
  if (kind < 0.25) return { type: 'pong', id: 'ping-1' };
  if (kind < 0.45) return { type: 'unsubscribe', subscription_id };
  if (kind < 0.48) return { type: 'authenticate', method: 'shared_token', token: 'nothing of ours' };
  return {
    type: 'subscribe',
    subscription_id,
    resource: pick(random, ['stations', 'stations', 'alerts', 'archives', 'nothing']),
    ...(random() < 0.4 ? { filter: drawFilter(random, 5) } : {}),
    ...(random() < 0.2 ? { cursor: pick(random, ['1.aaaaaaaaaaaaaaaa.e.1', 'x', '1.2.3']) } : {}),
    ...(random() < 0.2 ? { event_types: [pick(random, ['station.created', 'alert.raised', ''])] } : {}),
    ...(random() < 0.2 ? { event_encoding: pick(random, ['json', 'compact-json', 'cbor']) } : {}),
  };
}

/** Changes members of a message: it stays JSON, but may be no message any more. */
function distort(message: object, random: () => number): unknown {
  const entries = Object.entries(message);
  const at = Math.floor(random() * entries.length);
  const kind = random();
  if (kind < 0.25) return Object.fromEntries(entries.toSpliced(at, 1));
  if (kind < 0.5) return { ...message, [pick(random, POINTERS) ?? '']: pick(random, SCALARS) };
  if (kind < 0.9) return { ...message, [entries[at]?.[0] ?? '']: pick(random, SCALARS) };
  return pick(random, [[message], [], null, 'text', 7, [['e', message]]]);
}

const INSERTIONS = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\',
  '\\u0000',
  'null',
  '1e999',
  '"__proto__":{},',
  ' ',
];

function mutate(original: string, random: () => number): string {
  let mutated = original;
  const rounds = 1 + Math.floor(random() * 3);
  for (let round = 0; round < rounds; round += 1) {
    const at = Math.floor(random() * mutated.length);
    const kind = random();
    if (kind < 0.4) mutated = mutated.slice(0, at) + (pick(random, INSERTIONS) ?? '') + mutated.slice(at);
    else if (kind < 0.6) mutated = mutated.slice(0, at) + mutated.slice(at + 1);
    else if (kind < 0.75) mutated = mutated.slice(0, at);
    else if (kind < 0.9) mutated = mutated.replace(/"[a-z_]+"/u, `"${pick(random, POINTERS) ?? ''}"`);
    else mutated = `${'['.repeat(50)}${mutated}${']'.repeat(50)}`;
  }
  return mutated;
}

function textFrame(content: string): Buffer {
  return maskedFrame(0x81, Buffer.from(content, 'utf8'));
}

/** A client's frame (RFC 6455 section 5.2), masked with zeros. */
function maskedFrame(firstByte: number, payload: Buffer): Buffer {
  const length = payload.byteLength;
  let header: Buffer;
  if (length < 126) {
    header = Buffer.from([firstByte, 0x80 | length]);
  } else if (length < 65_536) {
    header = Buffer.from([firstByte, 0x80 | 126, length >>> 8, length & 0xff]);
  } else {
    header = Buffer.alloc(10);
    header.set([firstByte, 0x80 | 127]);
    header.writeUInt32BE(length, 6);
  }
  return Buffer.concat([header, Buffer.alloc(4), payload]);
}

/** Takes frames of a server out of a byte stream, after the HTTP answer. */
class FrameReader {
  readonly #onFrame: (opcode: number, payload: Buffer) => void;
  #bytes: Buffer = Buffer.alloc(0);
  #isUpgraded = false;

  constructor(onFrame: (opcode: number, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.byteLength === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    if (!this.#isUpgraded) {
      const end = this.#bytes.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.#isUpgraded = true;
      this.#bytes = this.#bytes.subarray(end + 4);
    }
    while (this.#takeFrame()) {
      // Every whole frame in the bytes is taken.
    }
  }

  #takeFrame(): boolean {
    const bytes = this.#bytes;
    const [first, second] = bytes;
    if (first === undefined || second === undefined) return false;
    const start = second < 126 ? 2 : second === 126 ? 4 : 10;
    if (bytes.byteLength < start) return false;
    const length =
      second < 126 ? second : second === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.byteLength < start + length) return false;
    this.#onFrame(first & 0x0f, bytes.subarray(start, start + length));
    this.#bytes = bytes.subarray(start + length);
    return true;
  }
}
