/**
 * 1,000 subscribers of one resource: deliveries per second of the gateway, each frame with its own subscription id,
 * against `ws` broadcasting one ready frame, `socket.io` rooms and Feathers channels, all in this process with their
 * clients in another thread. Counted per second of CPU time of the serving thread, so that other work on the machine
 * matters less. One by one: each event is written to the store and delivered in a turn of its own. At saturation: events
 * come as fast as the store takes them, and those of one turn leave in one write per socket; peers write each by itself.
 */
import { createServer } from 'node:http';
import { feathers } from '@feathersjs/feathers';
import socketio from '@feathersjs/socketio';
import { Server as SocketIoServer } from 'socket.io';
import { listen } from '../support/listen.ts';
import { median, ratiosOf, spreadOf } from '../support/numbers.ts';
import { threadUs } from '../support/processor.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { FrameSinks } from '../support/sockets/frame-sinks.ts';
import {
  type Contender,
  gatewayContender,
  oneByOne,
  SUBSCRIBERS,
  wsContender,
} from './support/contenders.ts';

const EVENTS = 30;
const ROUNDS = 5;
/** The clients answer no ping, and what is counted are events alone. */
const WITHOUT_PINGS = { transports: ['websocket' as const], pingInterval: 3_600_000 };

/** What an event of the gateway looks like on the wire: peers send as many bytes. */
async function frameOf({ one, gateway }: Awaited<ReturnType<typeof gatewayContender>>): Promise<string> {
  await one();
  const [change] = await gateway.store.source('points').read(0, 1);
  return JSON.stringify({
    type: 'event',
    subscription_id: 's',
    cursor: `1.${'x'.repeat(16)}.${'x'.repeat(16)}.1`,
    event_id: change?.eventId,
    occurred_at: new Date().toISOString(),
    event_type: 'point.changed',
    resource_id: 'p',
    resource_version: change?.version,
    data: JSON.parse(change?.after ?? '{}'),
  });
}

/** A namespace connection over Engine.IO 4: open, then `40`, then its answer. */
const SOCKET_IO = {
  path: '/socket.io/?EIO=4&transport=websocket',
  greetings: ['', '40'],
  framesUntilReady: 2,
};

async function socketIoContender(data: unknown): Promise<Contender> {
  const server = createServer();
  const io = new SocketIoServer(server, WITHOUT_PINGS);
  io.on('connection', (socket) => void socket.join('points'));
  return {
    plan: { port: await listen(server), connections: SUBSCRIBERS, ...SOCKET_IO },
    one: () => {
      io.to('points').emit('e', data);
    },
    async [Symbol.asyncDispose]() {
      await io.close();
    },
  };
}

/** What the socket transport adds to a Feathers app; its types do not reach here. */
interface ChannelApp {
  channel(name: string): { join(connection: unknown): unknown };
  publish(publisher: () => unknown): void;
}

async function feathersContender(data: object): Promise<Contender> {
  const app = feathers();
  const server = createServer();
  let io: SocketIoServer | undefined;
  app.configure(
    socketio(WITHOUT_PINGS, (created) => {
      io = created;
    }),
  );
  app.use('points', { create: async (created: object) => created });
  const channels = app as unknown as ChannelApp;
  app.on('connection', (connection) => channels.channel('points').join(connection));
  channels.publish(() => channels.channel('points'));
  await app.setup(server);
  return {
    plan: { port: await listen(server), connections: SUBSCRIBERS, ...SOCKET_IO },
    one: () => {
      app.service('points').emit('created', data);
    },
    async [Symbol.asyncDispose]() {
      await io?.close();
    },
  };
}

/** Deliveries per second of CPU time of this thread, which serves: what it could do alone on its core. */
async function ratePerSecond(
  sinks: FrameSinks,
  id: number,
  deliver: () => Promise<void>,
  events: number,
): Promise<number> {
  const received = sinks.receive(id, SUBSCRIBERS * events);
  const usedUs = await threadUs(async () => {
    await deliver();
    await received;
  });
  return (SUBSCRIBERS * events * 1_000_000) / usedUs;
}

await using gateway = await gatewayContender(() => '');
const frame = await frameOf(gateway);
const data = JSON.parse(frame) as object;
const bytes = Buffer.from(frame);
await using ws = await wsContender(() => bytes);
await using io = await socketIoContender(data);
await using feathersApp = await feathersContender(data);
// The last, as servers wait for their clients when they close.
await using sinks = new FrameSinks();
const contenders: Readonly<Record<string, Contender>> = {
  gateway,
  ws,
  'socket.io': io,
  Feathers: feathersApp,
};
const works: [string, () => Promise<number>][] = [];
for (const [name, contender] of Object.entries(contenders)) {
  const { plan, many } = contender;
  const id = await sinks.open(plan);
  works.push([name, () => ratePerSecond(sinks, id, () => oneByOne(contender, EVENTS), EVENTS)]);
  if (many !== undefined)
    works.push([`${name} at saturation`, () => ratePerSecond(sinks, id, () => many(EVENTS * 5), EVENTS * 5)]);
}
const rates = await runRounds(Object.fromEntries(works), { rounds: ROUNDS });

console.log(`frames of ${bytes.byteLength} bytes to ${SUBSCRIBERS} subscribers`);
for (const [name, all] of Object.entries(rates))
  console.log(`${name}: ${Math.round(median(all))} deliveries/s (${spreadOf(all, 0)})`);

function compare(bench: string, ours: string, peer: string, bar: number): void {
  const ratios = ratiosOf(rates[ours] ?? [], rates[peer] ?? []);
  report(bench, { ratio: median(ratios), bar, want: 'at least', note: `rounds ${spreadOf(ratios)}` });
}

compare('rostack-server/gateway-fan-out-against-ws', 'gateway at saturation', 'ws', 0.9);
compare('rostack-server/gateway-fan-out-against-socket-io', 'gateway at saturation', 'socket.io', 1.1);
compare('rostack-server/gateway-fan-out-against-feathers', 'gateway at saturation', 'Feathers', 2);
