import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import type { ServerOptions } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { temporaryFolder } from 'test-support/temporary-folder';
import { NOON_MS, openMenus } from '../../../packages/menu-mcp/test/support/menus.ts';
import { writeRequests } from '../support/load/load.ts';
import { runLoadRounds } from '../support/load/load-rounds.ts';
import { median, ratiosOf, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';

/**
 * tools/call over HTTP with a warm cache, against stateless servers of the official 1.x SDK whose tool does nothing:
 * - `peer` is the SDK as its examples use it, with a JSON Schema validator of its own for each request. Each of our
 *   tools should do at least 1.5 times as many calls with the same processor time.
 * - `lean peer` shares one validator between all requests. A call of ours may cost at most 1.5 times as much.
 *
 * The clients run in a process of their own; the servers take turns in this one.
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

/** Of the thread that serves, so that other work on the machine matters less. */
function usedUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

await using folder = await temporaryFolder();
const targets = STRATEGIES.map(async ({ name, port, body }) => {
  const headers = {
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const requestsFile = await writeRequests(join(folder.path, name), ['/mcp'], headers, body);
  return [name, { port, usedUs, requestsFile }] as const;
});
const results = await runLoadRounds(Object.fromEntries(await Promise.all(targets)), {
  connections: 16,
  rounds: ROUNDS,
  roundMs: DURATION_MS,
  warmUpMs: DURATION_MS,
});
const clockOf = (name: string) => (results[name] ?? []).map(({ perSecond }) => perSecond);
/** Calls per second of processor time. */
const processorOf = (name: string) => (results[name] ?? []).map(({ cpuUs }) => 1_000_000 / cpuUs);

for (const { name } of STRATEGIES) {
  const [clock, processor] = [clockOf(name), processorOf(name)];
  console.log(
    `${name.padEnd(22)}${Math.round(median(clock))} calls/s (${spreadOf(clock, 0)}), ` +
      `${Math.round(median(processor))} calls per processor second`,
  );
}
for (const name of ['search_restaurants', 'get_restaurant_menu']) {
  for (const { peer: peerName, suffix, want, bar } of BARS) {
    const calls = median(ratiosOf(processorOf(name), processorOf(peerName)));
    report(`menu-mcp/${name}${suffix}`, {
      ratio: want === 'at least' ? calls : 1 / calls,
      bar,
      want,
      note: `${median(ratiosOf(clockOf(name), clockOf(peerName))).toFixed(2)} times the ${peerName} by the clock`,
    });
  }
}

for (const server of [ours, peer, leanPeer]) {
  server.close();
  server.closeAllConnections();
}
