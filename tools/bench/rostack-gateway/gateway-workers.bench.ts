/**
 * Two workers against one: different pages of 50 over the same records in SQLite and in PostgreSQL, and events to 1,000 followers. The load
 * itself takes part of both cores, so rates by the clock say little. The bars are for what two cores without that load could do, which is
 * limited by the busiest process, and by half of the processor time of all processes together, the supervisor included. PostgreSQL's own
 * processor time is not counted. Each worker is warmed up by the same number of answers, since code is compiled by how often it ran: two
 * workers that share a second of warm-up are half as warm as one that has it alone.
 */
import { join } from 'node:path';
import { hasPostgres, postgresSchema } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { type BenchGateway, startBenchGateway } from '../support/gateway/bench-gateway.ts';
import type { BenchDatabase } from '../support/gateway/databases.ts';
import { differentPath } from '../support/gateway/readings.ts';
import { load } from '../support/load/load.ts';
import { median, ratiosOf, times } from '../support/numbers.ts';
import { cpuUsOf, processesOf } from '../support/processes.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { FrameSinks } from '../support/sockets/frame-sinks.ts';

const RECORDS = 20_000;
const QUERIES = 200_000;
const CORES = 2;
const ROUNDS = 5;
/** Per worker. */
const CONNECTIONS = 32;
const ANSWERS = 6_000;
const WARM_UP_ANSWERS = 10_000;
const FOLLOWERS = 1_000;
const CHANGES = 1_000;
const BAR = 1.7;
const WORKERS = { one: 1, two: 2 } as const;
type Name = keyof typeof WORKERS;

interface Measured {
  /** Per second, if it had two cores to itself. */
  readonly capacity: number;
  /** Per second, by the clock. */
  readonly perSecond: number;
  /** Of all processes together, in us per answer or event. */
  readonly cpuUs: number;
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

type Rounds = Readonly<Record<Name, readonly Measured[]>>;

function reportWorkers(bench: string, rounds: Rounds): void {
  const ratiosBy = (figure: keyof Measured) =>
    ratiosOf(
      rounds.two.map((each) => each[figure]),
      rounds.one.map((each) => each[figure]),
    );
  const ratios = ratiosBy('capacity');
  const rate = (all: readonly Measured[]) => Math.round(median(all.map(({ capacity }) => capacity)));
  const summary = (all: readonly Measured[]) =>
    `${rate(all)}/s, ${median(all.map(({ cpuUs }) => cpuUs)).toFixed(1)} us each`;
  report(`rostack-gateway/gateway-workers/${bench}`, {
    ratio: median(ratios),
    bar: BAR,
    want: 'at least',
    figures: { perSecond: rate(rounds.one), twoWorkersPerSecond: rate(rounds.two) },
    note: `one ${summary(rounds.one)}; two ${summary(rounds.two)}; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; by the clock ${median(ratiosBy('perSecond')).toFixed(2)}`,
  });
}

/** Starts a gateway of one worker and one of two, each with its own records. */
async function startBoth(databaseOf: (name: Name) => BenchDatabase) {
  await using stack = new AsyncDisposableStack();
  const start = async (name: Name) =>
    stack.use(
      await startBenchGateway(databaseOf(name), {
        records: RECORDS,
        sections: {
          workers: WORKERS[name],
          limits: {
            max_connections_per_address: 2_000,
            max_connections_per_principal: 2_000,
            heartbeat_interval: '1h',
          },
        },
      }),
    );
  const gateways = { one: await start('one'), two: await start('two') };
  const held = stack.move();
  return { gateways, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

type Gateways = Readonly<Record<Name, BenchGateway>>;

async function compareLists(bench: string, gateways: Gateways): Promise<void> {
  const paths = times(QUERIES, (number) => differentPath(number, RECORDS));
  const targets = {
    one: await gateways.one.target('requests', paths),
    two: await gateways.two.target('requests', paths),
  };
  const sent = { one: 0, two: 0 };
  /** Asks for the given number of answers per worker. */
  const list = (name: Name, answers: number): Promise<Measured> =>
    measure(gateways[name].pid, async () => {
      const connections = CONNECTIONS * WORKERS[name];
      const plan = { connections, answers: answers * WORKERS[name], firstRequest: sent[name] };
      const { responses, failures, firstFailure } = await load({ ...targets[name], ...plan });
      if (failures > 0) throw new Error(`${name}: ${failures} failed, first ${firstFailure}`);
      sent[name] += responses + connections;
      return responses;
    });
  const work = (name: Name) => (round: number) => list(name, round < 0 ? WARM_UP_ANSWERS : ANSWERS);
  const works = { one: work('one'), two: work('two') };
  reportWorkers(bench, await runRounds(works, { rounds: ROUNDS }));
}

async function compareFanOut(gateways: Gateways): Promise<void> {
  await using sinks = new FrameSinks();
  const ids = {
    one: await sinks.open(gateways.one.clients(FOLLOWERS, {})),
    two: await sinks.open(gateways.two.clients(FOLLOWERS, {})),
  };
  const publish = (name: Name) => (): Promise<Measured> =>
    measure(gateways[name].pid, async () => {
      const received = sinks.receive(ids[name], FOLLOWERS * CHANGES);
      await gateways[name].change(CHANGES);
      await received;
      return FOLLOWERS * CHANGES;
    });
  const works = { one: publish('one'), two: publish('two') };
  reportWorkers('fan-out', await runRounds(works, { rounds: ROUNDS }));
}

{
  await using folder = await temporaryFolder();
  await using both = await startBoth((name) => ({
    url: `sqlite:${join(folder.path, `${name}.db`)}`,
    schema: 'main',
  }));
  await compareLists('list', both.gateways);
  await compareFanOut(both.gateways);
}

if (hasPostgres) {
  await using one = postgresSchema();
  await using two = postgresSchema();
  await using both = await startBoth((name) => ({ one, two })[name]);
  await compareLists('list-postgresql', both.gateways);
} else console.log('gateway-workers/list-postgresql: skipped, no PostgreSQL answers');
