/**
 * From commit to socket: 1,000 events per second written one by one, each timed from the moment `apply` has committed
 * it until a client in another thread has it. On SQLite in a file, and on PostgreSQL where one answers.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchDatabase, overBoth } from '../support/gateway/databases.ts';
import { median, quantile } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { startLatencyClient } from './support/latency-client.ts';
import { point, servePoints } from './support/served-points.ts';

const EVENTS_PER_SECOND = 1_000;
const SECONDS = 8;
const WARM_UP_EVENTS = 1_000;
const BAR_MS = 25;

/** The time from commit to arrival, and the rate that was reached. */
async function measure({
  url,
  schema,
}: BenchDatabase): Promise<{ readonly p50Ms: number; readonly p99Ms: number; readonly perSecond: number }> {
  await using gateway = await servePoints(url, { schema });
  await using client = await startLatencyClient(gateway.plan(1, {}));
  const committedAtMs: number[] = [];
  const pending: Promise<void>[] = [];
  const startedMs = performance.now();
  const total = EVENTS_PER_SECOND * SECONDS;
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedMs) / 1_000) * EVENTS_PER_SECOND));
    for (; sent < due; sent += 1) {
      const value = sent;
      pending.push(
        gateway.put(point('p', value)).then(() => {
          committedAtMs[value] = performance.timeOrigin + performance.now();
        }),
      );
    }
    await wait(1);
  }
  await Promise.all(pending);
  const perSecond = (total * 1_000) / (performance.now() - startedMs);
  const arrivedAtMs = await client.arrivals(total);
  const latencies = arrivedAtMs
    .map((arrived, value) => Math.max(0, arrived - (committedAtMs[value] ?? Number.NaN)))
    .slice(WARM_UP_EVENTS);
  return { p50Ms: median(latencies), p99Ms: quantile(latencies, 0.99), perSecond };
}

async function run(name: string, database: BenchDatabase): Promise<void> {
  const { p50Ms, p99Ms, perSecond } = await measure(database);
  report(`rostack-server/gateway-commit-to-socket-${name}-p99-ms`, {
    ratio: p99Ms,
    bar: BAR_MS,
    want: 'at most',
    note: `${Math.round(perSecond)} events/s, p50 ${p50Ms.toFixed(1)} ms`,
  });
}

await overBoth('gateway-commit-to-socket', run);
