/**
 * From a request to the admin listener to a follower's frame, with everything in between: the change is checked, committed and sent. One
 * change in each request, 200 a second if answers come so soon, over each database.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { type BenchDatabase, overBoth } from '../support/gateway/databases.ts';
import { quantile } from '../support/numbers.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';

const RECORDS = 10_000;
const CHANGES_PER_SECOND = 200;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 10_000;
const BARS_MS = { sqlite: 5, postgresql: 8 };

async function measure(name: keyof typeof BARS_MS, database: BenchDatabase): Promise<void> {
  await using gateway = await startBenchGateway(database, { records: RECORDS });
  const sentAtMs: number[] = [0];
  let latencies: number[] = [];
  const awaited = { events: 0 };
  await using _follower = await gateway.follow({}, (message) => {
    const receivedAtMs = performance.now();
    for (const [, number] of message.toString().matchAll(/"changed (\d+)\./g)) {
      awaited.events -= 1;
      latencies.push(receivedAtMs - (sentAtMs[Number(number)] ?? Number.NaN));
    }
  });
  const write = async (forMs: number) => {
    const startedMs = performance.now();
    for (let written = 0; performance.now() - startedMs < forMs; written += 1) {
      await wait(Math.max(0, startedMs + (written * 1_000) / CHANGES_PER_SECOND - performance.now()));
      awaited.events += 1;
      sentAtMs.push(performance.now());
      await gateway.change(1);
    }
    while (awaited.events > 0) await wait(20);
  };
  await write(WARM_UP_MS);
  latencies = [];
  const usedUs = await cpuUsOf(gateway.pid);
  const startedMs = performance.now();
  await write(MEASURED_MS);
  const share = ((await cpuUsOf(gateway.pid)) - usedUs) / ((performance.now() - startedMs) * 1_000);
  report(`rostack-gateway/change-latency/${name}/p50`, {
    ratio: quantile(latencies, 0.5),
    bar: BARS_MS[name],
    want: 'at most',
    note: `ms, p99 ${quantile(latencies, 0.99).toFixed(1)}, ${share.toFixed(2)} of a core`,
  });
}

await overBoth('rostack-gateway/change-latency', measure);
