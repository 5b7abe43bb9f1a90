/**
 * 1,000 clients of one cohort, each with its own token, read 100,000 records for the first time through nginx, arriving over 10 s, while
 * one change is written each second. The ratio is lists that the gateway answered to pages of one chain. `CLIENTS=50` runs fewer clients.
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from 'rostack-store';
import { temporaryFolder } from 'test-support/temporary-folder';
import type { ConfigInput } from '../../../apps/rostack-gateway/src/config/config-model.ts';
import { defineConfigured } from '../../../apps/rostack-gateway/src/config/configured-implementation.ts';
import { parseConfig } from '../../../apps/rostack-gateway/src/config/load-config.ts';
import { createToken } from '../../../apps/rostack-gateway/src/serving/token/tokens.ts';
import { hasNginx, startEdge } from '../../../apps/rostack-gateway/test/support/edge.ts';
import { spawnGateway } from '../../../apps/rostack-gateway/test/support/spawn-gateway.ts';
import { times } from '../support/numbers.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';
import { idOf, reading, SCHEMA } from './support/readings.ts';

const RECORDS = 100_000;
const BATCH = 5_000;
const CLIENTS = Number(process.env['CLIENTS'] ?? 1_000);
const ARRIVAL_MS = 10_000;
const PAGE = 2_000;
const PATH = `/api/readings?limit=${PAGE}`;
const NEXT_CURSOR = /"next_cursor":(?:"([\w-]+)"|null)/;
/** Enough to contain the member `page`. */
const BEGINNING_BYTES = 1_024;

const ADMIN_TOKEN = 'bench-admin-token-0123456789abcdef';
const ADMIN_HEADERS = { authorization: `Bearer ${ADMIN_TOKEN}` };
const CONFIG: ConfigInput = {
  identity: { id: 'edge', name: 'Edge', api_version: '1' },
  public_url: 'https://localhost',
  data_dir: '.',
  store: { url: { env: 'STORE_URL' } },
  listeners: {
    data: { port: 0, tls: 'off', trusted_proxies: ['127.0.0.1'] },
    admin: { port: 0, token: { env: 'ADMIN_TOKEN' } },
  },
  authentication: { cohort_claim: 'cohort' },
  limits: { max_page_size: PAGE },
  permissions: { 'readings:read': 'Read readings.' },
  resources: {
    readings: { schema: 'reading.schema.json', share: 'cohort', read_permissions: ['readings:read'] },
  },
  log: { level: 'warn' },
};

/** Answers that asked a client to try again, because the machine is busy. */
let waits = 0;

const storeUrl = (folder: string): string => `sqlite:${join(folder, 'readings.db')}`;

if (hasNginx) await run();
else console.log('edge-first-sync: skipped, there is no nginx with auth_request');

async function run(): Promise<void> {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'reading.schema.json'), JSON.stringify(SCHEMA));
  const file = join(folder.path, 'rostack-gateway.yaml');
  await writeFile(file, JSON.stringify(CONFIG));
  const tokens = await fill(folder.path);
  await using gateway = spawnGateway(['start', '--config', file], {
    folder: folder.path,
    environment: { ADMIN_TOKEN, STORE_URL: storeUrl(folder.path) },
  });
  const [, port] = await gateway.prints(/^rostack-gateway: .* on port (\d+)$/m);
  const [, adminPort] = await gateway.prints(/^admin listener on port (\d+)$/m);
  const pid = gateway.child.pid ?? 0;
  await using edge = await startEdge(Number(port), '/api/readings');
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const ended = new AbortController();
  const writing = write(`http://127.0.0.1:${adminPort}`, ended.signal);
  const startedMs = performance.now();
  const startedCpuUs = await cpuUsOf(pid);
  const bytes = await Promise.all(
    tokens.map(async (token, number) => {
      await wait((number * ARRIVAL_MS) / CLIENTS);
      return readChain(agent, edge.port, token);
    }),
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpuSeconds = ((await cpuUsOf(pid)) - startedCpuUs) / 1e6;
  ended.abort();
  await writing;
  agent.destroy();
  const lists = await answered(`http://127.0.0.1:${adminPort}`, 'list');
  const audiences = await answered(`http://127.0.0.1:${adminPort}`, 'audience');
  const gibibytes = bytes.reduce((sum, each) => sum + each, 0) / 2 ** 30;
  report('rostack-gateway/edge-first-sync', {
    ratio: lists / (RECORDS / PAGE),
    bar: 3,
    want: 'at most',
    note: `${CLIENTS} clients read ${gibibytes.toFixed(1)} GiB in ${seconds.toFixed(0)} s; ${lists} lists, ${audiences} audiences and ${cpuSeconds.toFixed(1)} s of processor at the gateway; ${waits} times told to wait`,
  });
}

/** Writes the records, and a token for each client. */
async function fill(folder: string): Promise<readonly string[]> {
  const url = storeUrl(folder);
  const config = await parseConfig(CONFIG, { environment: { ADMIN_TOKEN, STORE_URL: url }, folder });
  const implementation = defineConfigured(config, 'https://localhost');
  await using store = await openStore({ url, schema: 'main', implementation, synchronous: 'normal' });
  for (let start = 0; start < RECORDS; start += BATCH) {
    const batch = times(BATCH, (offset) => reading(start + offset, RECORDS));
    await store.apply(batch.map((record) => ({ resource: 'readings', op: 'put', record })));
  }
  const tokens: string[] = [];
  for (const subject of times(CLIENTS, (number) => `client ${number}`)) {
    const made = { subject, grants: ['readings:read'], claims: { cohort: 'all' } };
    tokens.push((await createToken(store.tokens, made)).token);
  }
  return tokens;
}

/** Writes one change a second until the signal is aborted. */
async function write(adminUrl: string, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count += 1) {
    const put = () =>
      fetch(`${adminUrl}/resources/readings/${idOf(count)}`, {
        method: 'PUT',
        headers: { ...ADMIN_HEADERS, 'content-type': 'application/json' },
        body: JSON.stringify(reading(count, RECORDS, `written ${count}`)),
      });
    // The gateway may be closing the previous change's connection at this moment.
    const response = await put().catch(put);
    if (!response.ok) throw new Error(`a write failed: ${await response.text()}`);
    await wait(1_000, undefined, { signal }).catch(() => {});
  }
}

/** How many requests of an operation the gateway has answered. */
async function answered(adminUrl: string, operation: string): Promise<number> {
  const response = await fetch(`${adminUrl}/metrics`, { headers: ADMIN_HEADERS });
  const text = await response.text();
  const lines = text.matchAll(
    new RegExp(`^rostack_http_requests_total\\{operation="${operation}"[^}]*\\} (\\d+)$`, 'gm'),
  );
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** @returns how many bytes the pages of the chain have in total */
async function readChain(agent: Agent, port: number, token: string): Promise<number> {
  const headers = { authorization: `Rostack-Token ${token}`, accept: 'application/json' };
  let total = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < RECORDS / PAGE; ) {
    const path: string = cursor === undefined ? PATH : `${PATH}&cursor=${cursor}`;
    const asked = request({ agent, host: '127.0.0.1', port, path, headers }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    let beginning: Buffer = Buffer.alloc(0);
    for await (const chunk of response as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (beginning.length < BEGINNING_BYTES) beginning = Buffer.concat([beginning, chunk]);
    }
    if (response.statusCode === 503) {
      waits += 1;
      await wait(1_000);
      continue;
    }
    const next = NEXT_CURSOR.exec(beginning.toString('utf8', 0, BEGINNING_BYTES));
    if (response.statusCode !== 200 || next === null)
      throw new Error(
        `page ${pages} answered ${response.statusCode}: ${beginning.toString('utf8', 0, BEGINNING_BYTES)}`,
      );
    pages += 1;
    cursor = next[1];
    if ((cursor === undefined) !== (pages === RECORDS / PAGE)) throw new Error(`a chain has ${pages} pages`);
  }
  return total;
}
