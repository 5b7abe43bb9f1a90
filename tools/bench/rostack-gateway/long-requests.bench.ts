/**
 * What lists that take long wait for: the load of `gateway-list`, with each request's time from the client, beside a profile of the gateway's
 * main thread. Prints what the thread did, on average, during the requests around the median and during the slowest hundredth.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { temporaryFolder } from 'test-support/temporary-folder';
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { overBoth } from '../support/gateway/databases.ts';
import { IMAGE_PROCESS } from '../support/gateway/image-process.ts';
import { differentPath } from '../support/gateway/readings.ts';
import { load, type TracedRequest } from '../support/load/load.ts';
import { times } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { ACTIVITIES, ThreadTime } from './support/thread-time.ts';

const RECORDS = 100_000;
const QUERIES = 300_000;
const CONNECTIONS = 32;
const WARM_UP_MS = 10_000;
const MEASURED_MS = 8_000;
const MOST = 3;

await overBoth('long-requests', async (name, database) => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'profile.json');
  const profiler = new URL('./support/profile-on-signal.ts', import.meta.url).href;
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    surroundings: {
      environment: { ...IMAGE_PROCESS.environment, BENCH_PROFILE: file },
      nodeOptions: [...IMAGE_PROCESS.nodeOptions, `--import=${profiler}`],
    },
  });
  const target = await gateway.target(
    'requests',
    times(QUERIES, (number) => differentPath(number, RECORDS)),
  );
  await using _writer = gateway.startWriter();
  const warm = await load({ ...target, connections: CONNECTIONS, durationMs: WARM_UP_MS, firstRequest: 0 });
  process.kill(gateway.pid, 'SIGUSR2');
  const firstRequest = warm.responses + CONNECTIONS;
  const { requests, p50Ms, p99Ms } = await load({
    ...target,
    connections: CONNECTIONS,
    durationMs: MEASURED_MS,
    firstRequest,
    isTraced: true,
  });
  process.kill(gateway.pid, 'SIGUSR2');
  const thread = await threadTimeOf(file);
  const sorted = requests.toSorted((a, b) => a.tookMs - b.tookMs);
  const share = (from: number, to: number) =>
    sorted.slice(Math.floor(sorted.length * from), Math.floor(sorted.length * to));
  console.log(`${name}, ms: ${describe(thread, share(0.45, 0.55))} around the median`);
  console.log(`${name}, ms: ${describe(thread, share(0.99, 1))} in the slowest hundredth`);
  report(`rostack-gateway/long-requests/${name}`, {
    ratio: p99Ms / p50Ms,
    bar: MOST,
    want: 'at most',
    note: `p99 ${p99Ms.toFixed(1)} ms, p50 ${p50Ms.toFixed(1)} ms`,
  });
});

async function threadTimeOf(file: string): Promise<ThreadTime> {
  while (!existsSync(file)) await wait(100);
  const { profile, epochOfClockMs } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly profile: Profiler.Profile;
    readonly epochOfClockMs: number;
  };
  return new ThreadTime(profile, epochOfClockMs);
}

function describe(thread: ThreadTime, requests: readonly TracedRequest[]): string {
  const spent = requests.map(({ sentAtMs, tookMs }) => thread.between(sentAtMs, sentAtMs + tookMs));
  const mean = (values: readonly number[]) =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1);
  const parts = ACTIVITIES.map((activity) => `${activity} ${mean(spent.map((each) => each[activity]))}`);
  return `${mean(requests.map(({ tookMs }) => tookMs))} (${parts.join(', ')})`;
}
