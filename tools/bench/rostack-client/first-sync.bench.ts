/**
 * The first snapshot of a follow, into a SQLite file, in 4 ranges and in 1: records per second. The gateway is its own process, over
 * SQLite and over PostgreSQL on this machine, and over SQLite 100 ms away. The ratio is 4 ranges to 1. `RECORDS=1000000` reads a million,
 * once each way.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { connect, NetworkError, type RostackClient } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { parallelSnapshot } from 'rostack-client/snapshot';
import { temporaryFolder } from 'test-support/temporary-folder';
import { median } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';

const RECORDS = Number(process.env['RECORDS'] ?? 100_000);
const ROUNDS = RECORDS < 1_000_000 ? 3 : 1;
/** Without the certificates of earlier gateways, because all gateways are called localhost. */
const CERTIFICATES = getCACertificates('default');
const GATEWAY = fileURLToPath(new URL('support/bench-gateway.ts', import.meta.url));
const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

interface Address {
  readonly url: string;
  readonly cert: string;
  readonly token: string;
}

async function startGateway(url: string, schema: string): Promise<Address & AsyncDisposable> {
  const argv = ['--conditions=workspace-source', GATEWAY, String(RECORDS), url, schema];
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const address = JSON.parse(line) as Address;
  setDefaultCACertificates([...CERTIFICATES, address.cert]);
  return {
    ...address,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

/** The gateway may be closing a connection that was idle while the previous round was stored. */
async function connectAgain(attempt: () => Promise<RostackClient>): Promise<RostackClient> {
  return attempt().catch((error: unknown) => {
    if (error instanceof NetworkError) return attempt();
    throw error;
  });
}

/** @returns records per second from the first request until the snapshot is stored */
async function sync({ url, token }: Address, ranges: number, file: string, awayMs: number): Promise<number> {
  const far: typeof fetch = async (...request) => {
    await delay(awayMs);
    return fetch(...request);
  };
  const options = awayMs === 0 ? {} : { fetch: far };
  await using client = await connectAgain(() => connect(url, { method: 'shared_token', token }, options));
  await using store = new SqliteStateStore(file);
  const startedMs = performance.now();
  await using follow = client.follow('stations', {
    store,
    snapshot: parallelSnapshot({ ranges, by: '/name' }),
  });
  for await (const { kind } of follow) if (kind === 'live') break;
  const found = follow.records.size;
  if (found !== RECORDS) throw new Error(`${found} records came of ${RECORDS}`);
  return (RECORDS / (performance.now() - startedMs)) * 1_000;
}

async function measure(
  name: string,
  gateway: Address,
  folder: string,
  bar: number,
  awayMs = 0,
): Promise<void> {
  const work = (ranges: number) => (round: number) =>
    sync(gateway, ranges, join(folder, `${name}-${ranges}-${round}.db`), awayMs);
  const rates = await runRounds({ four: work(4), one: work(1) }, { rounds: ROUNDS, warmUps: 0 });
  const [four, one] = [median(rates.four), median(rates.one)];
  report(`rostack-client/first-sync-${name}`, {
    ratio: four / one,
    bar,
    want: 'at least',
    note: `${Math.round(four)} records/s in 4 ranges, ${Math.round(one)} in 1, of ${RECORDS}`,
  });
}

await using folder = await temporaryFolder();
{
  await using gateway = await startGateway(`sqlite:${join(folder.path, 'stations.db')}`, 'main');
  await measure('sqlite', gateway, folder.path, 0.8);
  await measure('sqlite-100-ms-away', gateway, folder.path, 1.5, 100);
}
const schema = `first_sync_${process.pid}`;
try {
  await using gateway = await startGateway(POSTGRES_URL, schema);
  await measure('postgresql', gateway, folder.path, 0.8);
} finally {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await client.end();
}
