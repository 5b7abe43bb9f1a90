/**
 * Two workers against one, over the same records in SQLite: different pages of 50, and events to 1,000 followers. The load takes a
 * part of both cores itself, so rates by the clock say little: the bars are for what two cores of its own could do, which is bounded by
 * the busiest process, and by half of the processor time of all together, the supervisor's among them.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FrameSinks } from '../../../packages/rostack-server/bench/support/frame-sinks.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { startBenchGateway } from './support/bench-gateway.ts';
import { cpuUsOf, load, type Target } from './support/load.ts';
import { times } from './support/numbers.ts';
import { differentPath } from './support/readings.ts';
import { median, report } from './support/rounds.ts';

const RECORDS = 20_000;
const QUERIES = 100_000;
const CORES = 2;
const ROUNDS = 5;
const CONNECTIONS = 32;
const LIST_MS = 2_000;
/** Each of the workers has to get its code compiled, beside the load. */
const WARM_UP_MS = 20_000;
const FOLLOWERS = 1_000;
const CHANGES = 1_000;
const BAR = 1.7;
const NAMES = ['one', 'two'] as const;

interface Measured {
  /** Per second, on two cores of its own. */
  readonly capacity: number;
  /** Per second, by the clock. */
  readonly perSecond: number;
  /** Of all processes together, in us for one. */
  readonly cpuUs: number;
}

/** A process and those that it has made. */
async function processesOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

async function measure(pid: number, work: () => Promise<number>): Promise<Measured> {
  const pids = await processesOf(pid);
  const times = () => Promise.all(pids.map(cpuUsOf));
  const [before, startedMs] = [await times(), performance.now()];
  const count = await work();
  const elapsedMs = performance.now() - startedMs;
  const used = (await times()).map((us, index) => us - (before[index] ?? 0));
  const total = used.reduce((sum, us) => sum + us, 0);
  return {
    capacity: (count / Math.max(...used, total / CORES)) * 1_000_000,
    perSecond: (count / elapsedMs) * 1_000,
    cpuUs: total / count,
  };
}

type Rounds = Readonly<Record<(typeof NAMES)[number], Measured[]>>;

function reportWorkers(bench: string, rounds: Rounds): void {
  const ratios = rounds.two.map(
    ({ capacity }, round) => capacity / (rounds.one[round]?.capacity ?? Number.NaN),
  );
  const clock = rounds.two.map(
    ({ perSecond }, round) => perSecond / (rounds.one[round]?.perSecond ?? Number.NaN),
  );
  const summary = (all: readonly Measured[]) =>
    `${Math.round(median(all.map(({ capacity }) => capacity)))}/s, ${median(all.map(({ cpuUs }) => cpuUs)).toFixed(1)} us each`;
  report(`gateway-workers/${bench}`, {
    ratio: median(ratios),
    bar: BAR,
    want: 'at least',
    note: `one ${summary(rounds.one)}; two ${summary(rounds.two)}; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; by the clock ${median(clock).toFixed(2)}`,
  });
}

await using folder = await temporaryFolder();
const start = (name: string, workers: number) =>
  startBenchGateway({ url: `sqlite:${join(folder.path, name)}`, schema: 'main' }, RECORDS, undefined, {
    workers,
    limits: {
      max_connections_per_address: 2_000,
      max_connections_per_principal: 2_000,
      heartbeat_interval: '1h',
    },
  });
await using one = await start('one.db', 1);
await using two = await start('two.db', 2);
const gateways = { one, two };
const paths = times(QUERIES, (number) => differentPath(number, RECORDS));
const targets: Readonly<Record<(typeof NAMES)[number], Target>> = {
  one: await one.target('requests', paths),
  two: await two.target('requests', paths),
};

const lists: Rounds = { one: [], two: [] };
const sent = { one: 0, two: 0 };
async function list(name: (typeof NAMES)[number], durationMs: number): Promise<Measured> {
  const target = targets[name];
  return measure(target.pid, async () => {
    const result = await load({ ...target, connections: CONNECTIONS, durationMs, firstRequest: sent[name] });
    if (result.failures > 0)
      throw new Error(`${name}: ${result.failures} failed, first ${result.firstFailure}`);
    sent[name] += result.responses + CONNECTIONS;
    return result.responses;
  });
}
for (const name of NAMES) await list(name, WARM_UP_MS);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const name of NAMES) lists[name].push(await list(name, LIST_MS));
}
reportWorkers('list', lists);

await using sinks = new FrameSinks();
const ids = {
  one: await sinks.open(one.followers(FOLLOWERS)),
  two: await sinks.open(two.followers(FOLLOWERS)),
};
const events: Rounds = { one: [], two: [] };
for (let round = -1; round < ROUNDS; round += 1) {
  for (const name of NAMES) {
    const measured = await measure(targets[name].pid, async () => {
      const received = sinks.receive(ids[name], FOLLOWERS * CHANGES);
      await gateways[name].change(CHANGES);
      await received;
      return FOLLOWERS * CHANGES;
    });
    if (round >= 0) events[name].push(measured);
  }
}
reportWorkers('fan-out', events);
