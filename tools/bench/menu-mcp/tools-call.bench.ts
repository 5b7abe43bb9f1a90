import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { createAdaptorServer } from '@hono/node-server';
import type { ServerOptions } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { NOON_MS, openMenus } from '../../../packages/menu-mcp/test/support/menus.ts';
import { median, ratiosOf, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import type { Load, LoadResult } from './load.ts';

/**
 * tools/call over HTTP with a warm cache, against stateless servers of the official 1.x SDK whose tool does nothing:
 * - `peer` is the SDK as its examples use it, with a JSON Schema validator of its own for each request. Each of our
 *   tools should do at least 1.5 times as many calls with the same processor time.
 * - `lean peer` shares one validator between all requests. A call of ours may cost at most 1.5 times as much.
 *
 * The clients run in a thread of their own; the servers take turns in one process.
 */
const ROUNDS = 7;
const DURATION_MS = 700;
const BARS = [
  { peer: 'peer', suffix: '', want: 'at least', bar: 1.5 },
  { peer: 'lean peer', suffix: '/cost', want: 'at most', bar: 1.5 },
] as const;

await using menus = await openMenus();
await using handler = createMenuMcpHandler(menus.service, { clock: () => NOON_MS });
const ours = createAdaptorServer({ fetch: handler.fetch }) as Server;

function createPeer(options: ServerOptions): Server {
  return createServer((incoming, outgoing) => {
    const server = new McpServer({ name: 'empty', version: '1.0.0' }, options);
    server.registerTool('empty', { description: 'Does nothing' }, () => ({ content: [] }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    outgoing.on('close', () => void transport.close().then(() => server.close()));
    // The SDK's own example does the same; its types forbid it under exactOptionalPropertyTypes.
    void server
      .connect(transport as Parameters<typeof server.connect>[0])
      .then(() => transport.handleRequest(incoming, outgoing));
  });
}

const peer = createPeer({});
const leanPeer = createPeer({ jsonSchemaValidator: new AjvJsonSchemaValidator() });

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function call(name: string, args: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

const oursPort = await listen(ours);
const STRATEGIES = [
  { name: 'peer', port: await listen(peer), body: call('empty', {}) },
  { name: 'lean peer', port: await listen(leanPeer), body: call('empty', {}) },
  { name: 'search_restaurants', port: oursPort, body: call('search_restaurants', { query: '강남' }) },
  {
    name: 'get_restaurant_menu',
    port: oursPort,
    body: call('get_restaurant_menu', { vendor: 'welstory', restaurantId: 'REST000007', date: 'today' }),
  },
] as const;

const worker = new Worker(new URL('./load.ts', import.meta.url));

interface Rates {
  /** Calls per second of wall-clock time. */
  readonly clock: number;
  /** Calls per second of the server thread's processor time, which a busy machine hardly affects. */
  readonly processor: number;
}

async function measure(load: Load): Promise<Rates> {
  const before = process.threadCpuUsage();
  worker.postMessage(load);
  const [{ answers, elapsedMs }] = (await once(worker, 'message')) as [LoadResult];
  const { user, system } = process.threadCpuUsage(before);
  return { clock: (answers * 1000) / elapsedMs, processor: (answers * 1_000_000) / (user + system) };
}

const works = STRATEGIES.map(
  ({ name, port, body }) =>
    [name, () => measure({ port, body, connections: 16, durationMs: DURATION_MS })] as const,
);
const rates = await runRounds(Object.fromEntries(works), { rounds: ROUNDS });
const of = (name: string, kind: keyof Rates) => (rates[name] ?? []).map((rate) => rate[kind]);
/** Calls of `name` for each call of `peer`, in the same time. */
const ratioOf = (name: string, peerName: string, kind: keyof Rates) =>
  median(ratiosOf(of(name, kind), of(peerName, kind)));

for (const { name } of STRATEGIES) {
  const [clock, processor] = [of(name, 'clock'), of(name, 'processor')];
  console.log(
    `${name.padEnd(22)}${Math.round(median(clock))} calls/s (${spreadOf(clock, 0)}), ` +
      `${Math.round(median(processor))} calls per processor second`,
  );
}
for (const name of ['search_restaurants', 'get_restaurant_menu']) {
  for (const { peer: peerName, suffix, want, bar } of BARS) {
    const calls = ratioOf(name, peerName, 'processor');
    report(`menu-mcp/${name}${suffix}`, {
      ratio: want === 'at least' ? calls : 1 / calls,
      bar,
      want,
      note: `${ratioOf(name, peerName, 'clock').toFixed(2)} times the ${peerName} by the clock`,
    });
  }
}

await worker.terminate();
for (const server of [ours, peer, leanPeer]) {
  server.close();
  server.closeAllConnections();
}
