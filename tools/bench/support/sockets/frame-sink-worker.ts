/** Runs in a thread of its own: opens many WebSocket connections by hand and counts the frames that arrive. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { parentPort } from 'node:worker_threads';
import { type UpgradeRequest, upgradeBare } from './bare-upgrade.ts';
import { maskedText } from './frames.ts';

/** How the clients of one server open their connections. */
export interface SinkPlan extends UpgradeRequest {
  readonly port: number;
  readonly connections: number;
  /** From which clients connect. @default whatever the machine chooses */
  readonly localAddress?: string;
  /** The number of the first connection; `{number}` in greetings is that of each. @default 0 */
  readonly firstNumber?: number;
  /** @default false */
  readonly isSecure?: boolean;
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

export type SinkAnswer =
  | { readonly id: number; readonly bytes: number }
  /** A connection was ended by the server, so that what is awaited may never come. */
  | { readonly id: number; readonly isCut: true };

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
    const first = (plan.firstNumber ?? 0) + opened;
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        openOne(sink, plan, first + index, () => {
          if (sinks.get(id) === sink) port?.postMessage({ id, isCut: true } satisfies SinkAnswer);
        }),
      ),
    );
  }
  sink.frames = 0;
  sink.bytes = 0;
  port?.postMessage({ id, bytes: 0 });
}

function openOne(sink: Sink, plan: SinkPlan, number: number, onCut: () => void): Promise<void> {
  return new Promise((resolve) => {
    const target = {
      port: plan.port,
      host: '127.0.0.1',
      ...(plan.localAddress !== undefined && { localAddress: plan.localAddress }),
    };
    const socket =
      plan.isSecure === true ? connectSecurely({ ...target, rejectUnauthorized: false }) : connect(target);
    sink.sockets.push(socket);
    let received = 0;
    const greet = (): void => {
      const text = plan.greetings[received];
      if (text !== undefined && text !== '')
        socket.write(maskedText(text.replaceAll('{number}', String(number))));
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
    if (plan.stalls !== true) socket.on('close', onCut);
    const onUpgraded = (): void => {
      greet();
      if (plan.framesUntilReady === 0) resolve();
    };
    upgradeBare(socket, plan, { onUpgraded, onFrame });
  });
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
  const sockets = sinks.get(id)?.sockets ?? [];
  sinks.delete(id);
  for (const socket of sockets) socket.destroy();
  port?.postMessage({ id, bytes: 0 });
}
