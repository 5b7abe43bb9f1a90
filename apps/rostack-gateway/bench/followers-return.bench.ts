/**
 * 1,000 followers come back at once after a minute away with 1,000 changes a second, while as many are written on: how long until the
 * last one is at the head, and the p99 of the age of events, from the commit, for 10 that stayed. Once all follow one of 100 stations,
 * once all follow everything. Gateway, writer, and both kinds of followers are processes of their own, on the same cores.
 * `FOLLOWERS`, `AWAY_S`, `CHANGES_PER_SECOND` and `FOLLOW=one-station` or `FOLLOW=everything` make it short; the note says what was written.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { hasPostgres, postgresSchema } from '../test/support/postgres.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { type BenchDatabase, type BenchGateway, startBenchGateway } from './support/bench-gateway.ts';
import type { LiveAges } from './support/live-followers.ts';
import { cpuUsOf } from './support/load.ts';
import { times } from './support/numbers.ts';
import { stationOf, TIES } from './support/readings.ts';
import type { ReturnPlan } from './support/returning-followers.ts';
import { report } from './support/rounds.ts';
import { runReader } from './support/run-reader.ts';

const FOLLOWERS = Number(process.env['FOLLOWERS'] ?? 1_000);
const AWAY_S = Number(process.env['AWAY_S'] ?? 60);
const CHANGES_PER_SECOND = Number(process.env['CHANGES_PER_SECOND'] ?? 1_000);
const FOLLOWED = (process.env['FOLLOW'] ?? 'one-station,everything').split(',');
const STATIONS = 100;
const RECORDS = STATIONS * TIES;
const LIVE = 10;
const BACK_BAR_S = 10;
const LIVE_BAR_MS = 250;
const LIVE_FOLLOWERS = new URL('support/live-followers.ts', import.meta.url);

interface LiveFollowers {
  /** Ends them. */
  ages(): Promise<LiveAges>;
}

async function startLive(gateway: BenchGateway): Promise<LiveFollowers> {
  const argv = [LIVE_FOLLOWERS.pathname, JSON.stringify(gateway.clients(LIVE, {}))];
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return {
    async ages() {
      const line = once(lines, 'line');
      child.stdin.end();
      const [printed] = (await line) as [string];
      return JSON.parse(printed) as LiveAges;
    },
  };
}

interface EventPage {
  readonly page: { readonly event_cursor: string };
}

const cursorNow = async (gateway: BenchGateway): Promise<string> =>
  (JSON.parse(await gateway.get('/api/readings?limit=1')) as EventPage).page.event_cursor;

/** The position of the log. */
async function changesWritten(gateway: BenchGateway): Promise<number> {
  const metrics = await gateway.metrics();
  return metrics.get('rostack_log_head_position{resource="readings"}') ?? Number.NaN;
}

async function measure(name: string, followed: string, database: BenchDatabase): Promise<void> {
  await using gateway = await startBenchGateway(database, RECORDS, undefined, {
    limits: {
      max_connections_per_address: 2 * FOLLOWERS,
      max_connections_per_principal: 2 * FOLLOWERS,
      heartbeat_interval: '1h',
    },
  });
  const live = await startLive(gateway);
  const cursor = await cursorNow(gateway);
  const before = await changesWritten(gateway);
  const writer = gateway.startWriter(CHANGES_PER_SECOND);
  const leftMs = performance.now();
  await wait(AWAY_S * 1_000);
  const missed = (await changesWritten(gateway)) - before;
  const awayS = (performance.now() - leftMs) / 1_000;
  const filterOf = (index: number) =>
    followed === 'everything' ? {} : { filter: { '/station': { eq: stationOf((index % STATIONS) * TIES) } } };
  const subscribes = times(FOLLOWERS, (index) =>
    JSON.stringify({
      type: 'subscribe',
      subscription_id: 's',
      resource: 'readings',
      cursor,
      ...filterOf(index),
    }),
  );
  const plan: ReturnPlan = { plan: gateway.clients(FOLLOWERS, {}), subscribes };
  const cpuBefore = await cpuUsOf(gateway.pid);
  const back = await runReader('returning-followers.ts', plan);
  const gatewayCpuS = ((await cpuUsOf(gateway.pid)) - cpuBefore) / 1e6;
  await writer[Symbol.asyncDispose]();
  const { events, p50Ms, p99Ms } = await live.ages();
  const backS = back.elapsedMs / 1_000;
  report(`followers-return/${name}/${followed}/all-at-the-head-s`, {
    ratio: backS,
    bar: BACK_BAR_S,
    want: 'at most',
    note: `${FOLLOWERS} missed ${missed} changes, ${Math.round(missed / awayS)}/s of ${CHANGES_PER_SECOND}/s wanted; ${back.rows} events, ${Math.round(back.rows / backS)}/s; processor: gateway ${gatewayCpuS.toFixed(1)} s, followers ${(back.cpuMs / 1_000).toFixed(1)} s`,
  });
  report(`followers-return/${name}/${followed}/live-p99-ms`, {
    ratio: p99Ms,
    bar: LIVE_BAR_MS,
    want: 'at most',
    note: `${LIVE} that stayed, ${events} events while others were away and came back, p50 ${p50Ms} ms`,
  });
}

for (const followed of FOLLOWED) {
  {
    await using folder = await temporaryFolder();
    const url = `sqlite:${join(folder.path, 'readings.db')}`;
    await measure('sqlite', followed, { url, schema: 'main' });
  }
  if (hasPostgres) {
    await using database = postgresSchema();
    await measure('postgresql', followed, database);
  } else console.log('followers-return/postgresql: skipped, no PostgreSQL answers');
}
