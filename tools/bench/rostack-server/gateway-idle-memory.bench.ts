/**
 * Memory of 10,000 idle authenticated connections against as many raw `ws` sockets, in this process after garbage
 * collection, their clients in another process. Run with `--expose-gc`.
 */
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { listen } from '../support/listen.ts';
import { median, ratiosOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { ClientProcesses } from '../support/sockets/client-processes.ts';
import type { SinkPlan } from '../support/sockets/frame-sink-worker.ts';
import { servePoints } from './support/served-points.ts';

const CONNECTIONS = Number(process.env.BENCH_CONNECTIONS ?? 10_000);
const ROUNDS = 2;
const BAR = 1.5;

async function usedBytes(): Promise<number> {
  await wait(300);
  globalThis.gc?.();
  await wait(50);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes that each connection of a plan costs this process. */
async function bytesPerConnection(plan: SinkPlan): Promise<number> {
  const before = await usedBytes();
  let after: number;
  {
    await using clients = new ClientProcesses();
    await clients.open(plan);
    after = await usedBytes();
  }
  await wait(500);
  return (after - before) / plan.connections;
}

const server = createServer();
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => socket.on('message', () => socket.send('{}')));
const port = await listen(server);
await using gateway = await servePoints();
const rawPlan: SinkPlan = {
  port,
  path: '/',
  connections: CONNECTIONS,
  greetings: ['{}'],
  framesUntilReady: 1,
};
const { ours, raw } = await runRounds(
  {
    raw: () => bytesPerConnection(rawPlan),
    ours: () => bytesPerConnection(gateway.plan(CONNECTIONS)),
  },
  { rounds: ROUNDS },
);
report('rostack-server/gateway-idle-memory', {
  ratio: median(ratiosOf(ours, raw)),
  bar: BAR,
  want: 'at most',
  note: `${CONNECTIONS} connections: ours ${Math.round(median(ours))} bytes each, raw ws ${Math.round(median(raw))}`,
});
server.close();
