import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import type { JsonObject } from 'rostack-core';
import { createSharedToken } from 'rostack-server';
import { openStore, type Store } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { WebSocket } from 'ws';
import { parseConfig } from '../../../../apps/rostack-gateway/src/config/load-config.ts';
import type { ConfigInput } from '../../../../apps/rostack-gateway/src/config/model/config-model.ts';
import { defineConfigured } from '../../../../apps/rostack-gateway/src/config/model/configured-implementation.ts';
import {
  type SpawnSurroundings,
  spawnGateway,
} from '../../../../apps/rostack-gateway/test/support/spawn-gateway.ts';
import { type Target, writeRequests } from '../load/load.ts';
import { cpuUsOf } from '../processes.ts';
import type { SinkPlan } from '../sockets/frame-sink-worker.ts';
import { greetingsFor } from '../sockets/greetings.ts';
import { type Answer, answerTo, samplesOf } from './answers.ts';
import { ADMIN_TOKEN, CONFIG, HOST } from './config.ts';
import type { BenchDatabase } from './databases.ts';
import { IMAGE_PROCESS } from './image-process.ts';
import { reading, SCHEMA } from './readings.ts';
import { type BenchWriter, changesTo, startWriter } from './writer.ts';

const BATCH = 5_000;
/** To each listener; further requests wait for a free one. */
const CONNECTIONS = 32;

export interface BenchGatewayOptions {
  /** What it begins with. @default 0 */
  readonly records?: number;
  /** @default a reading of about 200 bytes */
  readonly record?: (number: number) => JsonObject;
  /** JSON Schema of the records. @default that of readings */
  readonly schema?: object;
  /** Called with the filled store, before the gateway starts. */
  readonly prepare?: (store: Store) => Promise<unknown>;
  /** Sections of the configuration that replace the usual ones. */
  readonly sections?: Partial<ConfigInput>;
  /** Environment variables of the gateway, and options of Node. @default as the image starts one */
  readonly surroundings?: Omit<SpawnSurroundings, 'folder'>;
}

/** `rostack-gateway start` in a process of its own, with its records. */
export interface BenchGateway extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** A token that may read and follow the readings. */
  readonly token: string;
  /** The target for a load of these paths. */
  target(name: string, paths: Iterable<string>): Promise<Target>;
  /** Clients that authenticate and, if `subscribe` is given, subscribe to the readings. */
  clients(connections: number, subscribe?: object): SinkPlan;
  /** Asks as a client with the token does. */
  ask(path: string): Promise<Answer>;
  /** Returns the text of a 200 answer. */
  get(path: string): Promise<string>;
  /** Asks the admin listener; with a body it is a PUT. */
  askAdmin(path: string, body?: string): Promise<Answer>;
  /** Changes this many readings, in one request to the admin listener. */
  change(count: number): Promise<void>;
  /** Writes 200 changes a second, or as many as are given, over the admin listener. */
  startWriter(changesPerSecond?: number): BenchWriter;
  /** Samples of `/metrics` by name and labels, as they are written there. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  /** Starts a client that subscribes to the readings with these members, and reads what comes. */
  follow(subscribe?: object, onMessage?: (message: Buffer) => void): Promise<AsyncDisposable>;
}

/** Fills a store and starts a gateway over it. */
export async function startBenchGateway(
  { url, schema }: BenchDatabase,
  options: BenchGatewayOptions,
): Promise<BenchGateway> {
  const { records = 0, sections, surroundings = IMAGE_PROCESS } = options;
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  await writeFile(join(folder.path, 'reading.schema.json'), JSON.stringify(options.schema ?? SCHEMA));
  const config: ConfigInput = { ...CONFIG, store: { url: { env: 'STORE_URL' }, schema }, ...sections };
  const file = join(folder.path, 'rostack-gateway.yaml');
  await writeFile(file, JSON.stringify(config));
  const environment = { ADMIN_TOKEN, STORE_URL: url, ...surroundings.environment };
  const parsed = await parseConfig(config, { environment, folder: folder.path });
  const implementation = defineConfigured(parsed, `https://${HOST}`);
  let token: string;
  {
    await using store = await openStore({
      url,
      schema,
      implementation,
      synchronous: 'normal',
      writeTimeoutMs: 120_000,
    });
    token = await fill(store, options);
    await options.prepare?.(store);
  }
  const gateway = stack.use(
    spawnGateway(['start', '--config', file], { ...surroundings, folder: folder.path, environment }),
  );
  const port = Number((await gateway.prints(/^rostack-gateway: .* on port (\d+)$/m))[1]);
  const adminPort = Number((await gateway.prints(/^admin listener on port (\d+)$/m))[1]);
  const pid = gateway.child.pid ?? 0;
  const proxied = { host: HOST, 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' };
  const headers = { ...proxied, authorization: `Rostack-Token ${token}`, accept: 'application/json' };
  const adminHeaders = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  // In turn, so that no connection stays idle until the server closes it.
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
  stack.defer(() => agent.destroy());
  const { pathname } = new URL(implementation.discovery.endpoints.websocket);
  const ask = (path: string) => answerTo(agent, { port, path, headers });
  const askAdmin = (path: string, body?: string) => {
    const to = { port: adminPort, path, headers: adminHeaders };
    return answerTo(agent, body === undefined ? to : { ...to, method: 'PUT' }, body);
  };
  const change = changesTo(`http://127.0.0.1:${adminPort}/resources/readings/changes`, records);
  const held = stack.move();
  return {
    pid,
    port,
    token,
    target: async (name, paths) => ({
      port,
      usedUs: () => cpuUsOf(pid),
      requestsFile: await writeRequests(join(folder.path, name), paths, headers),
    }),
    clients: (connections, subscribe) => ({
      port,
      path: pathname,
      connections,
      headers: 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n',
      ...greetingsFor(token, 'readings', subscribe),
    }),
    ask,
    async get(path) {
      const { status, body } = await ask(path);
      if (status === 200) return body;
      throw new Error(`${path}: ${status} ${body}`);
    },
    askAdmin,
    change,
    startWriter: (changesPerSecond = 200) => startWriter(change, changesPerSecond),
    metrics: async () => samplesOf((await askAdmin('/metrics')).body),
    follow: (subscribe = {}, onMessage) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${pathname}`, 'rostack.v1', { headers: proxied });
      return followWith(socket, greetingsFor(token, 'readings', subscribe).greetings, onMessage);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Writes the records and a token, and returns the token. */
async function fill(store: Store, { records = 0, record }: BenchGatewayOptions): Promise<string> {
  const make = record ?? ((number: number) => reading(number, records));
  for (let from = 0; from < records; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, records - from) }, (_, index) => make(from + index));
    await store.apply(batch.map((each) => ({ resource: 'readings', op: 'put', record: each })));
  }
  const { token, tokenId, verifier } = createSharedToken();
  const grants = ['readings:read'];
  await store.tokens.add({ tokenId, verifier, subject: 'bench', grants, expiresAtMs: undefined });
  return token;
}

async function followWith(
  socket: WebSocket,
  greetings: readonly string[],
  onMessage: ((message: Buffer) => void) | undefined,
): Promise<AsyncDisposable> {
  await once(socket, 'open');
  for (const greeting of greetings) {
    socket.send(greeting);
    const [answer] = (await once(socket, 'message')) as [Buffer];
    if (answer.includes('"error"')) throw new Error(`${greeting}: ${answer.toString()}`);
  }
  if (onMessage !== undefined) socket.on('message', onMessage);
  return {
    async [Symbol.asyncDispose]() {
      socket.terminate();
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close');
    },
  };
}
