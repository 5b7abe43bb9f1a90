import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { createSharedToken } from 'rostack-server';
import { openStore, type Store } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { WebSocket } from 'ws';
import type { ConfigInput } from '../../../../apps/rostack-gateway/src/config/config-model.ts';
import { defineConfigured } from '../../../../apps/rostack-gateway/src/config/configured-implementation.ts';
import { parseConfig } from '../../../../apps/rostack-gateway/src/config/load-config.ts';
import {
  type SpawnSurroundings,
  spawnGateway,
} from '../../../../apps/rostack-gateway/test/support/spawn-gateway.ts';
import { IMAGE_PROCESS } from '../../support/image-process.ts';
import { type Target, writeRequests } from '../../support/load/load.ts';
import { cpuUsOf } from '../../support/processes.ts';
import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';
import { reading, SCHEMA } from './readings.ts';

const BATCH = 5_000;
const PLENTY = 100_000_000;
const ADMIN_TOKEN = 'bench-admin-token-0123456789abcdef';
const ADMIN_HEADERS = { authorization: `Bearer ${ADMIN_TOKEN}` };
const HOST = 'localhost';
const WRITE_INTERVAL_MS = 20;
/** Connections that `get` uses; further requests wait for a free one. */
const CONNECTIONS = 32;

const CONFIG: ConfigInput = {
  identity: { id: 'bench', name: 'Bench', api_version: '1' },
  public_url: `https://${HOST}`,
  data_dir: '.',
  listeners: {
    data: {
      port: 0,
      tls: 'off',
      trusted_proxies: ['127.0.0.0/8'],
      hosts: ['127.0.0.1'],
      connections: { max: 1_000_000 },
    },
    admin: { port: 0, token: { env: 'ADMIN_TOKEN' } },
  },
  permissions: { 'readings:read': 'Read readings.' },
  rates: { per_address: { requests: PLENTY }, per_principal: { requests: PLENTY } },
  resources: {
    readings: {
      schema: 'reading.schema.json',
      read_permissions: ['readings:read'],
      subscribe_permissions: ['readings:read'],
      filterable: {
        '/station': ['eq', 'gt', 'gte', 'lt', 'lte'],
        '/altitude': ['gt', 'gte', 'lt', 'lte'],
      },
      sortable: ['/station', '/altitude'],
      composite_indexes: [{ equal: '/station', sort: '/altitude' }],
      event_filtering: true,
      events: {
        'reading.created': { transition: 'create' },
        'reading.updated': { transition: 'update' },
        'reading.deleted': { transition: 'delete' },
      },
    },
  },
  log: { level: 'warn' },
};

export interface BenchDatabase {
  readonly url: string;
  /** The PostgreSQL schema. */
  readonly schema: string;
}

export interface BenchWriter extends AsyncDisposable {
  /** Number of changes answered so far. */
  readonly written: () => number;
}

/** `rostack-gateway start` in a separate process, with its records. */
export interface BenchGateway extends AsyncDisposable {
  /** The target for a load of these paths. */
  target(name: string, paths: Iterable<string>): Promise<Target>;
  /** Clients that authenticate and, if `subscribe` is given, subscribe to the readings. */
  clients(connections: number, subscribe?: object): SinkPlan;
  /** Changes this many readings, in one request to the admin listener. */
  change(count: number): Promise<void>;
  /** Returns the text of a 200 answer. */
  get(path: string): Promise<string>;
  /** Id of its process. */
  readonly pid: number;
  /** A token that may read and follow the readings. */
  readonly token: string;
  /** Samples of `/metrics` by name and labels, as they are written there. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  /** Starts a client that subscribes to all readings, or to those of a filter, and reads what comes. */
  follow(filter?: object): Promise<AsyncDisposable>;
  /**
   * Writes 200 changes a second, or as many as are given, over the admin listener, until it is disposed of. Every 20 ms it writes what is
   * due, one request after the other, so slow answers lead to larger batches and not to fewer changes.
   */
  startWriter(changesPerSecond?: number): BenchWriter;
}

/**
 * Starts a gateway.
 * @param prepared called with the filled store, before the gateway starts
 * @param sections sections of the configuration that replace the benchmarks' usual ones
 * @param surroundings more environment variables of the gateway, and options of Node.
 * @default as the image starts one
 */
export async function startBenchGateway(
  { url, schema }: BenchDatabase,
  records: number,
  prepared: (store: Store) => Promise<unknown> = async () => {},
  sections: Partial<ConfigInput> = {},
  { environment: surroundings = {}, nodeOptions = [] }: Omit<SpawnSurroundings, 'folder'> = IMAGE_PROCESS,
): Promise<BenchGateway> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  await writeFile(join(folder.path, 'reading.schema.json'), JSON.stringify(SCHEMA));
  const config: ConfigInput = { ...CONFIG, store: { url: { env: 'STORE_URL' }, schema }, ...sections };
  const file = join(folder.path, 'rostack-gateway.yaml');
  await writeFile(file, JSON.stringify(config));
  const environment = {
    ADMIN_TOKEN,
    STORE_URL: url,
    ...surroundings,
  };
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
    token = await fill(store, records);
    await prepared(store);
  }
  const gateway = stack.use(
    spawnGateway(['start', '--config', file], {
      folder: folder.path,
      environment,
      nodeOptions,
    }),
  );
  const [, port] = await gateway.prints(/^rostack-gateway: .* on port (\d+)$/m);
  const [, adminPort] = await gateway.prints(/^admin listener on port (\d+)$/m);
  const headers = {
    host: HOST,
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-proto': 'https',
    authorization: `Rostack-Token ${token}`,
    accept: 'application/json',
  };
  // In turn, so that no connection stays idle until the server closes it.
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' });
  stack.defer(() => agent.destroy());
  const changes = changesTo(`http://127.0.0.1:${adminPort}/resources/readings/changes`, records);
  const held = stack.move();
  return {
    clients: (connections, subscribe) => ({
      port: Number(port),
      path: '/gateway',
      connections,
      subprotocol: 'rostack.v1',
      headers: 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\n',
      greetings: [
        JSON.stringify({ type: 'authenticate', method: 'shared_token', token }),
        ...(subscribe === undefined
          ? []
          : [
              JSON.stringify({ type: 'subscribe', subscription_id: 's', resource: 'readings', ...subscribe }),
            ]),
      ],
      framesUntilReady: subscribe === undefined ? 1 : 2,
    }),
    change: changes,
    target: async (name, paths) => ({
      port: Number(port),
      usedUs: () => cpuUsOf(gateway.child.pid ?? 0),
      requestsFile: await writeRequests(join(folder.path, name), paths, headers),
    }),
    async get(path) {
      const asked = request({ agent, host: '127.0.0.1', port, path, headers }).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      const body = await text(response);
      if (response.statusCode === 200) return body;
      throw new Error(`${path}: ${response.statusCode} ${body}`);
    },
    pid: gateway.child.pid ?? 0,
    token,
    async metrics() {
      const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`, { headers: ADMIN_HEADERS });
      return samplesOf(await response.text());
    },
    async follow(filter) {
      const url = `ws://127.0.0.1:${port}${new URL(implementation.discovery.endpoints.websocket).pathname}`;
      return followOne(new WebSocket(url, 'rostack.v1', { headers }), token, filter);
    },
    startWriter: (changesPerSecond = 200) => startWriter(changes, changesPerSecond),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Writes the records and a token, and returns the token. */
async function fill(store: Store, records: number): Promise<string> {
  for (let from = 0; from < records; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => reading(from + index, records));
    await store.apply(batch.map((record) => ({ resource: 'readings', op: 'put', record })));
  }
  const { token, tokenId, verifier } = createSharedToken();
  const grants = ['readings:read'];
  await store.tokens.add({ tokenId, verifier, subject: 'bench', grants, expiresAtMs: undefined });
  return token;
}

function samplesOf(metrics: string): ReadonlyMap<string, number> {
  const lines = metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

async function followOne(
  socket: WebSocket,
  token: string,
  filter: object | undefined,
): Promise<AsyncDisposable> {
  const answers = async (type: string): Promise<void> => {
    const [data] = (await once(socket, 'message')) as [Buffer];
    if (!data.includes(`"${type}"`)) throw new Error(`no ${type}: ${data.toString()}`);
  };
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token }));
  await answers('authenticated');
  socket.send(
    JSON.stringify({
      type: 'subscribe',
      subscription_id: 's',
      resource: 'readings',
      ...(filter && { filter }),
    }),
  );
  await answers('subscribed');
  socket.resume();
  return {
    async [Symbol.asyncDispose]() {
      socket.terminate();
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close');
    },
  };
}

/** Changes the given number of records per call, going through them in turn. */
function changesTo(url: string, records: number): (count: number) => Promise<void> {
  let written = 0;
  return async (count) => {
    const lines = Array.from({ length: count }, () => {
      written += 1;
      const record = reading((written * 7_907) % records, records, `changed ${written}`.padEnd(36, '.'));
      return `${JSON.stringify({ op: 'put', record })}\n`;
    });
    const headers = { ...ADMIN_HEADERS, 'content-type': 'application/x-ndjson' };
    const response = await fetch(url, { method: 'POST', headers, body: lines.join('') });
    const results = await response.text();
    if (response.status !== 200 || results.includes('"error"')) throw new Error(`a write failed: ${results}`);
  };
}

function startWriter(changes: (count: number) => Promise<void>, changesPerSecond: number): BenchWriter {
  const stop = new AbortController();
  let written = 0;
  const running = (async () => {
    const startedMs = performance.now();
    while (!stop.signal.aborted) {
      const dueAtMs = performance.now() + WRITE_INTERVAL_MS;
      const due = Math.floor(((performance.now() - startedMs) * changesPerSecond) / 1_000) - written;
      if (due > 0) {
        await changes(Math.min(due, changesPerSecond));
        written += Math.min(due, changesPerSecond);
      }
      await wait(Math.max(0, dueAtMs - performance.now()));
    }
  })();
  // The error is thrown on disposal.
  running.catch(() => {});
  return {
    written: () => written,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
