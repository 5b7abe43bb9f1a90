/**
 * Memory of 10,000 idle authenticated connections against as many raw `ws` sockets, in this process after garbage
 * collection, their clients in another process. Run with `--expose-gc`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { startBenchGateway } from './support/bench-gateway.ts';
import { ClientProcesses } from './support/client-processes.ts';
import type { SinkPlan } from './support/frame-sink-worker.ts';
import { median, report } from './support/rounds.ts';

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
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
await using gateway = await startBenchGateway();
const rawPlan: SinkPlan = {
  port: (server.address() as AddressInfo).port,
  path: '/',
  connections: CONNECTIONS,
  greetings: ['{}'],
  framesUntilReady: 1,
};
const ours: number[] = [];
const raw: number[] = [];
for (let round = -1; round < ROUNDS; round += 1) {
  const rawBytes = await bytesPerConnection(rawPlan);
  const ourBytes = await bytesPerConnection(gateway.plan(CONNECTIONS));
  if (round < 0) continue;
  raw.push(rawBytes);
  ours.push(ourBytes);
}
const ratios = ours.map((bytes, round) => bytes / (raw[round] ?? Number.NaN));
report('gateway-idle-memory', {
  ratio: median(ratios),
  bar: BAR,
  want: 'at most',
  note: `${CONNECTIONS} connections: ours ${Math.round(median(ours))} bytes each, raw ws ${Math.round(median(raw))}`,
});
server.close();
