/**
 * How much the most expensive lists that are allowed slow down everybody else. Ten of them run at any time, each with 80 times `contains`
 * and a sort by four fields over 100,000 records. Meanwhile a writer makes 100 changes a second, a client follows them, and `/healthz` is
 * polled. The gateway is a separate process, as people start it; this process acts as its clients.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchGateway, startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { type BenchDatabase, overBoth } from '../support/gateway/databases.ts';
import { median, quantile } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { NOISY_GATEWAY, noisyPath, noisyReading } from './support/noisy-readings.ts';

const LISTS = 10;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 15_000;
const HEALTH_INTERVAL_MS = 10;
const WRITE_INTERVAL_MS = 10;
/** Records that are written, in turn. */
const WRITTEN = 500;
const HEALTH_BAR_MS = 50;
const LAG_BAR_MS = 100;

interface Outcome {
  readonly healthMs: readonly number[];
  readonly lagMs: readonly number[];
  readonly lists: number;
  /** Lists answered with service-unavailable. */
  readonly unavailable: number;
  readonly writes: number;
}

/** Runs everything at once; the first seconds are not counted. */
async function measure(gateway: BenchGateway, lists: number): Promise<Outcome> {
  const counts = { lists: 0, unavailable: 0, writes: 0 };
  const events = { awaited: 0, received: 0 };
  const healthMs: number[] = [];
  const lagMs: number[] = [];
  const stop = new AbortController();
  let isCounting = false;

  const askLists = async (first: number): Promise<void> => {
    for (let number = first; !stop.signal.aborted; number += lists) {
      const { status } = await gateway.ask(noisyPath(number));
      if (status !== 200 && status !== 503) throw new Error(`a list was answered with ${status}`);
      if (!isCounting) continue;
      counts.lists += 1;
      if (status === 503) counts.unavailable += 1;
    }
  };
  const every = async (intervalMs: number, act: () => Promise<void>): Promise<void> => {
    const under: Promise<void>[] = [];
    while (!stop.signal.aborted) {
      under.push(act());
      await wait(intervalMs);
    }
    await Promise.all(under);
  };
  const askHealth = async (): Promise<void> => {
    const startedMs = performance.now();
    const { status } = await gateway.askAdmin('/healthz');
    if (status !== 200) throw new Error(`/healthz was answered with ${status}`);
    if (isCounting) healthMs.push(performance.now() - startedMs);
  };
  const write = async (): Promise<void> => {
    events.awaited += 1;
    const record = { ...noisyReading(events.awaited % WRITTEN), written_at_ms: performance.now() };
    const { status } = await gateway.askAdmin(`/resources/readings/${record.id}`, JSON.stringify(record));
    if (status >= 300) throw new Error(`a write was answered with ${status}`);
    if (isCounting) counts.writes += 1;
  };
  await using _follower = await gateway.follow({}, (message) => {
    const atMs = performance.now();
    const { data } = JSON.parse(message.toString()) as { readonly data?: { readonly written_at_ms: number } };
    if (data === undefined) return;
    events.received += 1;
    if (isCounting) lagMs.push(atMs - data.written_at_ms);
  });
  const running = Promise.all([
    ...Array.from({ length: lists }, (_, first) => askLists(first)),
    every(HEALTH_INTERVAL_MS, askHealth),
    every(WRITE_INTERVAL_MS, write),
  ]);
  const failed = running.then(() => new Promise<never>(() => {}));
  await Promise.race([failed, wait(WARM_UP_MS)]);
  isCounting = true;
  await Promise.race([failed, wait(MEASURED_MS)]);
  isCounting = false;
  stop.abort();
  await running;
  while (events.received < events.awaited) await wait(10);
  return { ...counts, healthMs, lagMs };
}

function reportP99(bench: string, values: readonly number[], bar: number, note: string): void {
  const told = `p50 ${median(values).toFixed(1)} ms, greatest ${Math.max(...values).toFixed(1)} ms`;
  report(`rostack-gateway/noisy-query/${bench}-p99-ms`, {
    ratio: quantile(values, 0.99),
    bar,
    want: 'at most',
    note: `of ${values.length}, ${told}; ${note}`,
  });
}

async function run(name: 'sqlite' | 'postgresql', database: BenchDatabase): Promise<void> {
  await using gateway = await startBenchGateway(database, NOISY_GATEWAY);
  const alone = await measure(gateway, 0);
  const at = (values: readonly number[]) => `${quantile(values, 0.99).toFixed(1)} ms`;
  console.log(`${name} without lists: health p99 ${at(alone.healthMs)}, lag p99 ${at(alone.lagMs)}`);
  const { healthMs, lagMs, lists, unavailable, writes } = await measure(gateway, LISTS);
  const note = `${lists} lists, ${unavailable} of them unavailable, ${writes} writes in ${MEASURED_MS / 1_000} s`;
  reportP99(`${name}/health`, healthMs, HEALTH_BAR_MS, note);
  reportP99(`${name}/lag`, lagMs, LAG_BAR_MS, note);
}

await overBoth('noisy-query', run);
