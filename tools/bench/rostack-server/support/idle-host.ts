/**
 * A process that serves WebSockets of one kind and answers what they cost: `ws` alone, the gateway, or the gateway over TLS. Run with
 * `--expose-gc`.
 */
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Certificate } from 'test-support/certificate';
import { WebSocketServer } from 'ws';
import { listen } from '../../support/listen.ts';
import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';
import { point, servePoints } from './served-points.ts';

export type HostKind = 'ws' | 'gateway' | 'tls';

export interface HostSetup {
  readonly kind: HostKind;
  /** For `tls`. */
  readonly certificate?: Certificate;
}

/** What the process uses now. */
export interface HostUse {
  readonly residentBytes: number;
  /** Of JavaScript and buffers. */
  readonly heapBytes: number;
  readonly cpuUs: number;
}

export type HostRequest =
  | { readonly kind: 'plan'; readonly connections: number; readonly subscribe?: object }
  /** After garbage collection. */
  | { readonly kind: 'use' }
  /** As it is, so that looking costs nothing. */
  | { readonly kind: 'idle' }
  /** So many changes, one after the other. */
  | { readonly kind: 'publish'; readonly changes: number };

const { kind, certificate = {} } = JSON.parse(process.argv[2] ?? '{}') as HostSetup;
const server = kind === 'tls' ? createSecureServer(certificate) : createServer();
const gateway = kind === 'ws' ? undefined : await servePoints('sqlite::memory:', { server });
if (gateway === undefined) {
  new WebSocketServer({ server }).on('connection', (socket) => socket.on('message', () => socket.send('{}')));
  await listen(server);
}

function planFor(connections: number, subscribe: object | undefined): SinkPlan {
  if (gateway !== undefined) return { ...gateway.plan(connections, subscribe), isSecure: kind === 'tls' };
  const { port } = server.address() as AddressInfo;
  return { port, path: '/', connections, greetings: ['{}'], framesUntilReady: 1 };
}

async function useWithoutGarbage(): Promise<HostUse> {
  for (let round = 0; round < 3; round += 1) {
    await wait(100);
    globalThis.gc?.();
  }
  return useNow();
}

function useNow(): HostUse {
  const { user, system } = process.cpuUsage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { residentBytes: rss, heapBytes: heapUsed + external, cpuUs: user + system };
}

let published = 0;

async function answer(request: HostRequest): Promise<SinkPlan | HostUse | null> {
  if (request.kind === 'plan') return planFor(request.connections, request.subscribe);
  if (request.kind === 'use') return useWithoutGarbage();
  if (request.kind === 'idle') return useNow();
  for (let change = 0; change < request.changes; change += 1) {
    published += 1;
    await gateway?.put(point('p', published));
    await wait(0);
  }
  return null;
}

process.on('message', (request: HostRequest) => {
  void answer(request).then((answered) => process.send?.(answered));
});
process.send?.('ready');
