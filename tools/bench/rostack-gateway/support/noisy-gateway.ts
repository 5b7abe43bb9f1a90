import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { JsonObject } from 'rostack-core';
import { createSharedToken } from 'rostack-server';
import { openStore } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import { WebSocket } from 'ws';
import type { ConfigInput } from '../../../../apps/rostack-gateway/src/config/config-model.ts';
import { defineConfigured } from '../../../../apps/rostack-gateway/src/config/configured-implementation.ts';
import { parseConfig } from '../../../../apps/rostack-gateway/src/config/load-config.ts';
import { spawnGateway } from '../../../../apps/rostack-gateway/test/support/spawn-gateway.ts';

const RECORDS = 100_000;
const BATCH = 1_000;
const WORDS = 80;
const WRITTEN = 500;
const PLENTY = 1_000_000;
const ADMIN_TOKEN = 'bench-admin-token-0123456789abcdef';
const HOST = 'localhost';
const SORT = '/kind,-/status,/region,-/altitude';
const KINDS = ['air', 'ground', 'river', 'sea', 'snow'];

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'kind', 'status', 'region', 'altitude', 'note'],
  properties: {
    id: { type: 'string' },
    kind: { type: 'string' },
    status: { type: 'string' },
    region: { type: 'string' },
    altitude: { type: 'number' },
    note: { type: 'string' },
    written_at_ms: { type: 'number' },
  },
} as const;

const CONFIG: ConfigInput = {
  identity: { id: 'bench', name: 'Bench', api_version: '1' },
  public_url: `https://${HOST}`,
  data_dir: '.',
  listeners: {
    data: { port: 0, tls: 'off', trusted_proxies: ['127.0.0.1'] },
    admin: { port: 0, token: { env: 'ADMIN_TOKEN' } },
  },
  permissions: { 'readings:read': 'Read readings.' },
  rates: { per_address: { requests: PLENTY }, per_principal: { requests: PLENTY } },
  resources: {
    readings: {
      schema: 'reading.schema.json',
      read_permissions: ['readings:read'],
      subscribe_permissions: ['readings:read'],
      filterable: { '/note': 'all' },
      sortable: ['/kind', '/status', '/region', '/altitude'],
      events: {
        'reading.created': { transition: 'create' },
        'reading.updated': { transition: 'update' },
        'reading.removed': { transition: 'delete' },
      },
    },
  },
  log: { level: 'warn' },
};

/** A gateway over 100,000 records of about 200 bytes, and the things its clients do. */
export interface NoisyGateway extends AsyncDisposable {
  /** Asks for an expensive list, a different one for each number; returns the status. */
  list(number: number): Promise<number>;
  /** Asks `/healthz`; returns how long it took in ms. */
  health(): Promise<number>;
  /** Writes one record, which holds the time at which it was sent. */
  write(): Promise<void>;
  /** Follows the records. `onEvent` gets the time from just before a change was sent to the gateway until its event came back. */
  follow(onEvent: (elapsedMs: number) => void): Promise<Follower>;
}

export interface Follower extends AsyncDisposable {
  /** Resolves when everything that was written has arrived. */
  caughtUp(): Promise<void>;
}

export async function startNoisyGateway(storeUrl: string, schema: string): Promise<NoisyGateway> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  await writeFile(join(folder.path, 'reading.schema.json'), JSON.stringify(SCHEMA));
  const config: ConfigInput = { ...CONFIG, store: { url: { env: 'STORE_URL' }, schema } };
  const file = join(folder.path, 'rostack-gateway.yaml');
  await writeFile(file, JSON.stringify(config));
  const environment = { ADMIN_TOKEN, STORE_URL: storeUrl };
  const { token, eventsPath } = await fill(config, folder.path, environment, storeUrl, schema);

  const gateway = stack.use(spawnGateway(['start', '--config', file], { folder: folder.path, environment }));
  const [, port] = await gateway.prints(/^rostack-gateway: .* on port (\d+)$/m);
  const [, adminPort] = await gateway.prints(/^admin listener on port (\d+)$/m);
  // In turn, so that no connection stays idle until the server closes it.
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' });
  stack.defer(() => agent.destroy());
  const proxied = { host: HOST, 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' };
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const send = (to: string | undefined, path: string, headers: Record<string, string>, body?: string) =>
    answerTo(agent, { port: to, path, headers, body });
  const counts = { written: 0, received: 0 };
  const held = stack.move();
  return {
    list: (number) => send(port, listPath(number), { ...proxied, authorization: `Rostack-Token ${token}` }),
    async health() {
      const startedMs = performance.now();
      const status = await send(adminPort, '/healthz', {});
      if (status !== 200) throw new Error(`/healthz was answered with ${status}`);
      return performance.now() - startedMs;
    },
    async write() {
      counts.written += 1;
      const record = { ...reading(counts.written % WRITTEN), written_at_ms: performance.now() };
      const status = await send(adminPort, `/resources/readings/${record.id}`, admin, JSON.stringify(record));
      if (status >= 300) throw new Error(`a write was answered with ${status}`);
    },
    async follow(onEvent) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${eventsPath}`, ['rostack.v1'], {
        headers: proxied,
      });
      const send = (message: object) => socket.send(JSON.stringify(message));
      const { promise: subscribed, resolve: start, reject } = Promise.withResolvers<void>();
      socket.on('open', () => send({ type: 'authenticate', method: 'shared_token', token }));
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the follower was closed')));
      socket.on('message', (data: Buffer) => {
        const atMs = performance.now();
        const message = JSON.parse(data.toString('utf8')) as {
          type: string;
          data?: { written_at_ms: number };
        };
        if (message.type === 'authenticated')
          send({ type: 'subscribe', subscription_id: 's1', resource: 'readings' });
        else if (message.type === 'subscribed') start();
        else if (message.data !== undefined) {
          counts.received += 1;
          onEvent(atMs - message.data.written_at_ms);
        }
      });
      await subscribed;
      return {
        async caughtUp() {
          while (counts.received < counts.written) await once(socket, 'message');
        },
        [Symbol.asyncDispose]: async () => {
          socket.terminate();
        },
      };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Writes the records and a token, then closes the store again. */
async function fill(
  config: ConfigInput,
  folder: string,
  environment: Readonly<Record<string, string>>,
  storeUrl: string,
  schema: string,
): Promise<{ readonly token: string; readonly eventsPath: string }> {
  const parsed = await parseConfig(config, { environment, folder });
  const implementation = defineConfigured(parsed, `https://${HOST}`);
  await using store = await openStore({ url: storeUrl, schema, implementation, synchronous: 'normal' });
  for (let from = 0; from < RECORDS; from += BATCH) {
    const records = Array.from({ length: BATCH }, (_, index) => reading(from + index));
    await store.apply(records.map((record) => ({ resource: 'readings', op: 'put', record })));
  }
  const { token, tokenId, verifier } = createSharedToken();
  await store.tokens.add({
    tokenId,
    verifier,
    subject: 'bench',
    grants: ['readings:read'],
    expiresAtMs: undefined,
  });
  return { token, eventsPath: new URL(implementation.discovery.endpoints.websocket).pathname };
}

function reading(index: number): JsonObject & { readonly id: string } {
  return {
    id: `reading-${String(index).padStart(6, '0')}`,
    kind: KINDS[index % KINDS.length] ?? 'air',
    status: index % 3 === 0 ? 'idle' : 'active',
    region: `region-${index % 400}`,
    altitude: (index * 7_919) % 100_000,
    note: `a note of the usual length, of number ${index}, that says what was seen and when`,
  };
}

/** Every other list matches nothing, the rest match everything: each has to look at all or many records and sort them. */
function listPath(number: number): string {
  const words = Array.from({ length: WORDS }, (_, index) => ({
    '/note': { contains: `no ${number}.${index}` },
  }));
  const filter = number % 2 === 0 ? { $or: words } : { $not: { $or: words } };
  return `/api/readings?sort=${SORT}&limit=200&filter=${encodeURIComponent(JSON.stringify(filter))}`;
}

interface Sent {
  readonly port: string | undefined;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The status of an answer, once all of it has come. */
async function answerTo(agent: Agent, { port, path, headers, body }: Sent): Promise<number> {
  const asked = request({ agent, host: '127.0.0.1', port, path, headers, method: body ? 'PUT' : 'GET' });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}
