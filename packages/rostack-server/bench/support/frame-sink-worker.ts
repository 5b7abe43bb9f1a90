/** Runs in a thread of its own: opens many WebSocket connections by hand and counts the frames that arrive. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { parentPort } from 'node:worker_threads';

/** How the clients of one server open their connections. */
export interface SinkPlan {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  /** @default false */
  readonly isSecure?: boolean;
  readonly subprotocol?: string;
  /** What each client offers; frames are counted and never inflated. @default none */
  readonly extensions?: string;
  /** Further header fields of the upgrade, each with its line break. @default none */
  readonly headers?: string;
  /** Texts that each client sends (nothing where empty), each after it has received as many frames as its index. */
  readonly greetings: readonly string[];
  /** Frames that each client receives before it is ready. */
  readonly framesUntilReady: number;
  /** Clients that read nothing once they are ready. @default false */
  readonly stalls?: boolean;
}

export type SinkRequest =
  | { readonly kind: 'open'; readonly id: number; readonly plan: SinkPlan }
  /** Answer when this many frames have come over all connections of `id` since they were ready. */
  | { readonly kind: 'await'; readonly id: number; readonly frames: number }
  | { readonly kind: 'close'; readonly id: number };

interface Sink {
  readonly sockets: Socket[];
  frames: number;
  /** Of those frames, with their headers. */
  bytes: number;
  awaited: number;
}

const OPENING_AT_ONCE = 100;
const sinks = new Map<number, Sink>();
const port = parentPort;
if (port === null) throw new Error('start this file as a worker');

port.on('message', (request: SinkRequest) => {
  if (request.kind === 'open') void open(request.id, request.plan);
  else if (request.kind === 'await') expectFrames(request.id, request.frames);
  else close(request.id);
});

async function open(id: number, plan: SinkPlan): Promise<void> {
  const sink: Sink = { sockets: [], frames: 0, bytes: 0, awaited: Number.POSITIVE_INFINITY };
  sinks.set(id, sink);
  for (let opened = 0; opened < plan.connections; opened += OPENING_AT_ONCE) {
    const count = Math.min(OPENING_AT_ONCE, plan.connections - opened);
    await Promise.all(Array.from({ length: count }, () => openOne(sink, plan)));
  }
  sink.frames = 0;
  sink.bytes = 0;
  port?.postMessage({ id, bytes: 0 });
}

function openOne(sink: Sink, plan: SinkPlan): Promise<void> {
  return new Promise((resolve) => {
    const socket =
      plan.isSecure === true
        ? connectSecurely({ port: plan.port, host: '127.0.0.1', rejectUnauthorized: false })
        : connect(plan.port, '127.0.0.1');
    sink.sockets.push(socket);
    let isUpgraded = false;
    let received = 0;
    let rest: Buffer = Buffer.alloc(0);
    const greet = (): void => {
      const text = plan.greetings[received];
      if (text !== undefined && text !== '') socket.write(maskedText(text));
    };
    const onFrame = (frameBytes: number): void => {
      received += 1;
      sink.frames += 1;
      sink.bytes += frameBytes;
      if (received <= plan.framesUntilReady) greet();
      if (received === plan.framesUntilReady) {
        if (plan.stalls === true) socket.pause();
        resolve();
      }
      if (sink.frames >= sink.awaited) report(sink);
    };
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      let bytes = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!isUpgraded) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end === -1) {
          rest = bytes;
          return;
        }
        isUpgraded = true;
        bytes = bytes.subarray(end + 4);
        greet();
        if (plan.framesUntilReady === 0) resolve();
      }
      rest = takeFrames(bytes, onFrame);
    });
    const protocol = plan.subprotocol === undefined ? '' : `Sec-WebSocket-Protocol: ${plan.subprotocol}\r\n`;
    const extensions =
      plan.extensions === undefined ? '' : `Sec-WebSocket-Extensions: ${plan.extensions}\r\n`;
    socket.write(
      `GET ${plan.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${protocol}${extensions}${plan.headers ?? ''}\r\n`,
    );
  });
}

/** Calls back for each whole frame; returns the bytes that begin the next one. */
function takeFrames(bytes: Buffer, onFrame: (frameBytes: number) => void): Buffer {
  let at = 0;
  for (;;) {
    const second = bytes[at + 1];
    if (second === undefined) break;
    const start = at + (second < 126 ? 2 : second === 126 ? 4 : 10);
    if (bytes.byteLength < start) break;
    const length =
      second < 126 ? second : second === 126 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6);
    if (bytes.byteLength < start + length) break;
    onFrame(start - at + length);
    at = start + length;
  }
  return bytes.subarray(at);
}

function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  const { byteLength } = payload;
  const header =
    byteLength < 126 ? [0x81, 0x80 | byteLength] : [0x81, 0x80 | 126, byteLength >>> 8, byteLength & 0xff];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), payload]);
}

function expectFrames(id: number, frames: number): void {
  const sink = sinks.get(id);
  if (sink === undefined) return;
  sink.awaited = frames;
  if (sink.frames >= frames) report(sink);
}

function report(sink: Sink): void {
  const { bytes } = sink;
  sink.awaited = Number.POSITIVE_INFINITY;
  sink.frames = 0;
  sink.bytes = 0;
  for (const [id, each] of sinks) if (each === sink) port?.postMessage({ id, bytes });
}

function close(id: number): void {
  for (const socket of sinks.get(id)?.sockets ?? []) socket.destroy();
  sinks.delete(id);
  port?.postMessage({ id, bytes: 0 });
}
