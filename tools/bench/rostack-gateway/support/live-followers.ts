/** Followers that stay connected: measures the age of each event until standard input ends. Prints a line once all have subscribed. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { median, quantile } from '../../support/numbers.ts';
import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';

/** What the live followers saw, in milliseconds from the commit. */
export interface LiveAges {
  readonly events: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const plan = JSON.parse(process.argv[2] ?? '') as SinkPlan;
const headers = { host: 'localhost', 'x-forwarded-for': '192.0.2.2', 'x-forwarded-proto': 'https' };
const [authenticate = '', subscribe = ''] = plan.greetings;
const agesMs: number[] = [];

async function follow(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${plan.port}${plan.path}`, 'rostack.v1', {
    headers,
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  for (const greeting of [authenticate, subscribe]) {
    socket.send(greeting);
    await once(socket, 'message');
  }
  socket.on('message', (data: Buffer) => {
    const { occurred_at } = JSON.parse(data.toString()) as { readonly occurred_at: string };
    agesMs.push(Date.now() - Date.parse(occurred_at));
  });
  return socket;
}

const sockets = await Promise.all(Array.from({ length: plan.connections }, follow));
process.stdout.write('ready\n');
await once(process.stdin.resume(), 'end');
for (const socket of sockets) socket.terminate();
const ages: LiveAges = { events: agesMs.length, p50Ms: median(agesMs), p99Ms: quantile(agesMs, 0.99) };
process.stdout.write(`${JSON.stringify(ages)}\n`);
