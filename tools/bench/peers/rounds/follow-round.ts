import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../../support/numbers.ts';
import type { Contender } from '../contenders/contender.ts';
import { Followers } from '../followers/followers.ts';
import { interruption } from '../support/interruption.ts';
import { treeUsage } from '../support/process-tree.ts';

const CHANGES_PER_SECOND = 200;
const WARM_UP_MS = 3_000;
const MEASURED_MS = Number(process.env['BENCH_MEASURED_S'] ?? 10) * 1_000;
const MIB = 1_048_576;

/** What a round has found of one server. */
export interface FollowRound {
  /** From when the clients begin to connect until all of them have the state and get what changes. */
  readonly liveS: number;
  /** From a write to the callbacks of the followers. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of all processes of the server, the followers and the database, as a share of one core. */
  readonly cores: number;
  readonly followerCores: number;
  readonly databaseCores: number;
  /** Memory of all processes of the server, at the end. */
  readonly mib: number;
}

export interface FollowPlan {
  readonly followers: number;
  /** Writes one value, and returns the moment from which the latency is counted. */
  readonly write: (value: number) => Promise<number>;
  /** Of a database process whose time is counted beside. @default none */
  readonly databasePid?: number | undefined;
}

/** Opens followers and writes 200 changes a second, three seconds to warm up and ten that count. */
export async function followRound(
  { pid, followers: { file, plan } }: Contender,
  { followers: count, write, databasePid }: FollowPlan,
): Promise<FollowRound> {
  await using followers = await Followers.start(file);
  const openedMs = performance.now();
  await followers.open(count, plan);
  const liveS = (performance.now() - openedMs) / 1_000;

  const writtenAtMs: number[] = [];
  const writeFor = async (forMs: number): Promise<void> => {
    const startedMs = performance.now();
    for (let written = 0; performance.now() - startedMs < forMs; written += 1) {
      const dueMs = startedMs + (written * 1_000) / CHANGES_PER_SECOND;
      await wait(Math.max(0, dueMs - performance.now()), undefined, { signal: interruption });
      // Rows begin with 0.
      const value = writtenAtMs.length + 1;
      writtenAtMs.push(Number.NaN);
      writtenAtMs[value - 1] = await write(value);
    }
    await followers.until(writtenAtMs.length * count);
  };
  const usage = async () => ({
    server: await treeUsage(pid),
    database: databasePid === undefined ? undefined : await treeUsage(databasePid),
    atMs: performance.now(),
  });
  await writeFor(WARM_UP_MS);
  await followers.take();
  const before = await usage();
  await writeFor(MEASURED_MS);
  const after = await usage();
  const { values, atMs, cpuUs } = await followers.take();
  const share = (us: number) => us / ((after.atMs - before.atMs) * 1_000);
  const latencies = atMs.map((at, index) => at - (writtenAtMs[(values[index] ?? 0) - 1] ?? Number.NaN));
  return {
    liveS,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cores: share(after.server.cpuUs - before.server.cpuUs),
    followerCores: share(cpuUs),
    databaseCores: share((after.database?.cpuUs ?? 0) - (before.database?.cpuUs ?? 0)),
    mib: after.server.bytes / MIB,
  };
}
