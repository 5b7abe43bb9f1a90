/**
 * 1,000 clients of one cohort, each with its own token, read 100,000 records for the first time through nginx, arriving over 10 s, while
 * one change is written each second. The ratio is lists that the gateway answered to pages of one chain. `CLIENTS=50` runs fewer clients.
 */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConfigInput } from '../../../apps/rostack-gateway/src/config/model/config-model.ts';
import { createToken } from '../../../apps/rostack-gateway/src/serving/token/tokens.ts';
import { hasNginx, startEdge } from '../../../apps/rostack-gateway/test/support/edge.ts';
import { type BenchGateway, startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { sqliteFile } from '../support/gateway/databases.ts';
import { times } from '../support/numbers.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';

const RECORDS = 100_000;
const CLIENTS = Number(process.env['CLIENTS'] ?? 1_000);
const ARRIVAL_MS = 10_000;
const PAGE = 2_000;
const PATH = `/api/readings?limit=${PAGE}`;
const NEXT_CURSOR = /"next_cursor":(?:"([\w-]+)"|null)/;
/** Enough to contain the member `page`. */
const BEGINNING_BYTES = 1_024;

const SECTIONS: Partial<ConfigInput> = {
  authentication: { cohort_claim: 'cohort' },
  limits: { max_page_size: PAGE },
  resources: {
    readings: { schema: 'reading.schema.json', share: 'cohort', read_permissions: ['readings:read'] },
  },
};

/** Answers that asked a client to try again, because the machine is busy. */
let waits = 0;

if (hasNginx) await run();
else console.log('edge-first-sync: skipped, there is no nginx with auth_request');

async function run(): Promise<void> {
  await using database = await sqliteFile();
  const tokens: string[] = [];
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    sections: SECTIONS,
    prepare: async (store) => {
      for (const subject of times(CLIENTS, (number) => `client ${number}`)) {
        const made = { subject, grants: ['readings:read'], claims: { cohort: 'all' } };
        tokens.push((await createToken(store.tokens, made)).token);
      }
    },
  });
  await using edge = await startEdge(gateway.port, '/api/readings');
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const writer = gateway.startWriter(1);
  const startedMs = performance.now();
  const startedCpuUs = await cpuUsOf(gateway.pid);
  const bytes = await Promise.all(
    tokens.map(async (token, number) => {
      await wait((number * ARRIVAL_MS) / CLIENTS);
      return readChain(agent, edge.port, token);
    }),
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpuSeconds = ((await cpuUsOf(gateway.pid)) - startedCpuUs) / 1e6;
  await writer[Symbol.asyncDispose]();
  agent.destroy();
  const [lists, audiences] = [await answered(gateway, 'list'), await answered(gateway, 'audience')];
  const gibibytes = bytes.reduce((sum, each) => sum + each, 0) / 2 ** 30;
  report('rostack-gateway/edge-first-sync', {
    ratio: lists / (RECORDS / PAGE),
    bar: 3,
    want: 'at most',
    note: `${CLIENTS} clients read ${gibibytes.toFixed(1)} GiB in ${seconds.toFixed(0)} s; ${lists} lists, ${audiences} audiences and ${cpuSeconds.toFixed(1)} s of processor at the gateway; ${waits} times told to wait`,
  });
}

/** How many requests of an operation the gateway has answered. */
async function answered(gateway: BenchGateway, operation: string): Promise<number> {
  const counted = `rostack_http_requests_total{operation="${operation}"`;
  const samples = [...(await gateway.metrics())].filter(([name]) => name.startsWith(counted));
  return samples.reduce((sum, [, count]) => sum + count, 0);
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
