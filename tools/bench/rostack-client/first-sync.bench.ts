/**
 * The first snapshot of a follow, into a SQLite file, in 4 ranges and in 1: records per second. The gateway is its own process, over
 * SQLite and over PostgreSQL on this machine, and over SQLite 100 ms away. The ratio is 4 ranges to 1. `RECORDS=1000000` reads a million,
 * once each way.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, NetworkError, type RostackClient } from 'rostack-client';
import { SqliteStateStore } from 'rostack-client/node';
import { parallelSnapshot } from 'rostack-client/snapshot';
import { temporaryFolder } from 'test-support/temporary-folder';
import { type BenchGateway, startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { type BenchDatabase, overBoth } from '../support/gateway/databases.ts';
import { insecureAddress } from '../support/gateway/insecure-address.ts';
import { median } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';

const RECORDS = Number(process.env['RECORDS'] ?? 100_000);
const ROUNDS = RECORDS < 1_000_000 ? 3 : 1;

interface Address {
  readonly url: string;
  readonly token: string;
}

async function startGateway(database: BenchDatabase): Promise<BenchGateway & Address> {
  const { url, sections } = await insecureAddress();
  const gateway = await startBenchGateway(database, {
    records: RECORDS,
    sections: { ...sections, limits: { max_page_size: 1_000 }, retention: { max_changes: 2 * RECORDS } },
  });
  return { ...gateway, url };
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
  const options = { allowInsecureLoopback: true, ...(awayMs > 0 && { fetch: far }) };
  await using client = await connectAgain(() => connect(url, { method: 'shared_token', token }, options));
  await using store = new SqliteStateStore(file);
  const startedMs = performance.now();
  await using follow = client.follow('readings', {
    store,
    snapshot: parallelSnapshot({ ranges, by: '/altitude' }),
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
await overBoth('first-sync', async (name, database) => {
  await using gateway = await startGateway(database);
  await measure(name, gateway, folder.path, 0.8);
  if (name === 'sqlite') await measure('sqlite-100-ms-away', gateway, folder.path, 1.5, 100);
});
