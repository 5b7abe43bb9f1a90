/**
 * 1,000 subscribers of one resource: deliveries per second of the gateway, each frame with its own subscription id,
 * against `ws` broadcasting one ready frame, `socket.io` rooms and Feathers channels, all in this process with their
 * clients in another thread. Counted per second of CPU time of the serving thread, so that other work on the machine
 * matters less. One by one: each event is written to the store and delivered in a turn of its own. At saturation: events
 * come as fast as the store takes them, and those of one turn leave in one write per socket; peers write each by itself.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { feathers } from '@feathersjs/feathers';
import socketio from '@feathersjs/socketio';
import { Server as SocketIoServer } from 'socket.io';
import { WebSocketServer } from 'ws';
import { median, ratiosOf, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import type { SinkPlan } from '../support/sockets/frame-sink-worker.ts';
import { FrameSinks } from '../support/sockets/frame-sinks.ts';
import { point, servePoints } from './support/served-points.ts';

const SUBSCRIBERS = 1_000;
const EVENTS = 30;
const ROUNDS = 5;
const NOTE = '';
/** The clients answer no ping, and what is counted are events alone. */
const WITHOUT_PINGS = { transports: ['websocket' as const], pingInterval: 3_600_000 };

interface Contender extends AsyncDisposable {
  readonly name: string;
  readonly plan: SinkPlan;
  /** Delivers one event to all subscribers. */
  one(): Promise<void> | void;
  /** Delivers several as fast as it can, if that is another thing. */
  readonly many?: (count: number) => Promise<void>;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function gatewayContender(): Promise<Contender & { frame(): Promise<string> }> {
  const gateway = await servePoints();
  let value = 0;
  const next = () => {
    value += 1;
    return point('p', value, NOTE);
  };
  return {
    name: 'gateway',
    plan: gateway.plan(SUBSCRIBERS, {}),
    one: () => gateway.put(next()),
    many: async (count) => {
      await Promise.all(Array.from({ length: count }, () => gateway.put(next())));
    },
    /** What one of its events looks like on the wire: peers send as many bytes. */
    frame: async () => {
      await gateway.put(next());
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
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

async function wsContender(text: string): Promise<Contender> {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const frame = Buffer.from(text);
  return {
    name: 'ws',
    plan: {
      port: await listen(server),
      path: '/',
      connections: SUBSCRIBERS,
      greetings: [],
      framesUntilReady: 0,
    },
    one: () => {
      for (const client of sockets.clients) client.send(frame, { binary: false });
    },
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      server.close();
    },
  };
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
    name: 'socket.io',
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
    name: 'Feathers',
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
  const started = process.threadCpuUsage();
  await deliver();
  await received;
  const { user, system } = process.threadCpuUsage(started);
  return (SUBSCRIBERS * events * 1_000_000) / (user + system);
}

async function oneByOne(contender: Contender, events: number): Promise<void> {
  for (let count = 0; count < events; count += 1) {
    await contender.one();
    await nextTurn();
  }
}

await using sinks = new FrameSinks();
await using gateway = await gatewayContender();
const frame = await gateway.frame();
const data = JSON.parse(frame) as object;
await using ws = await wsContender(frame);
await using io = await socketIoContender(data);
await using feathersApp = await feathersContender(data);
const works: [string, () => Promise<number>][] = [];
for (const contender of [gateway, ws, io, feathersApp] as readonly Contender[]) {
  const { name, plan, many } = contender;
  const id = await sinks.open(plan);
  works.push([name, () => ratePerSecond(sinks, id, () => oneByOne(contender, EVENTS), EVENTS)]);
  if (many !== undefined)
    works.push([`${name} at saturation`, () => ratePerSecond(sinks, id, () => many(EVENTS * 5), EVENTS * 5)]);
}
const rates = await runRounds(Object.fromEntries(works), { rounds: ROUNDS });

console.log(`frames of ${Buffer.byteLength(frame)} bytes to ${SUBSCRIBERS} subscribers`);
for (const [name, all] of Object.entries(rates))
  console.log(`${name}: ${Math.round(median(all))} deliveries/s (${spreadOf(all, 0)})`);

function compare(bench: string, ours: string, peer: string, bar: number): void {
  const ratios = ratiosOf(rates[ours] ?? [], rates[peer] ?? []);
  report(bench, { ratio: median(ratios), bar, want: 'at least', note: `rounds ${spreadOf(ratios)}` });
}

compare('rostack-server/gateway-fan-out-against-ws', 'gateway at saturation', 'ws', 0.9);
compare('rostack-server/gateway-fan-out-against-socket-io', 'gateway at saturation', 'socket.io', 1.1);
compare('rostack-server/gateway-fan-out-against-feathers', 'gateway at saturation', 'Feathers', 2);
