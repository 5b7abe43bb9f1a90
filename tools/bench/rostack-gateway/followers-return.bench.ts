/**
 * 1,000 followers come back at once after missing a minute of 1,000 changes a second, while writing goes on at that rate: how long until
 * the last one is at the head, and for 10 that stayed, the p99 of the age of events, from the commit. The missed changes are written in
 * large batches before the 10 begin, so this takes seconds and is complete on any machine. Each follows one of 100 stations. With
 * `FOLLOW=everything` all follow everything, which is 24 GB for the missed changes alone and takes as long as a machine needs to send them.
 * Gateway, writer and both kinds of followers are separate processes on the same cores. Shorten it with `FOLLOWERS`, `AWAY_S`,
 * `CHANGES_PER_SECOND`, and `ONLY=sqlite` or `ONLY=postgresql`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type BenchGateway, startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { type BenchDatabase, overBoth } from '../support/gateway/databases.ts';
import { stationOf, TIES } from '../support/gateway/readings.ts';
import { times } from '../support/numbers.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';
import type { LiveAges } from './support/live-followers.ts';
import type { ReturnPlan } from './support/returning-followers.ts';
import { runReader } from './support/run-reader.ts';

const FOLLOWERS = Number(process.env['FOLLOWERS'] ?? 1_000);
const AWAY_S = Number(process.env['AWAY_S'] ?? 60);
const CHANGES_PER_SECOND = Number(process.env['CHANGES_PER_SECOND'] ?? 1_000);
const FOLLOWED = (process.env['FOLLOW'] ?? 'one-station').split(',');
const STATIONS = 100;
const RECORDS = STATIONS * TIES;
const LIVE = 10;
const BACK_BAR_S = 10;
const LIVE_BAR_MS = 250;
/** Changes per request of the writer. */
const BATCH = 5_000;
const DATABASES = (process.env['ONLY'] ?? 'sqlite,postgresql').split(',');
const LIVE_FOLLOWERS = new URL('support/live-followers.ts', import.meta.url);

interface LiveFollowers {
  /** Ends them and returns the measured ages. */
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

async function measure(name: string, followed: string, database: BenchDatabase): Promise<void> {
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    sections: {
      limits: {
        max_connections_per_address: 2 * FOLLOWERS,
        max_connections_per_principal: 2 * FOLLOWERS,
        heartbeat_interval: '1h',
      },
    },
  });
  const cursor = await cursorNow(gateway);
  const missed = AWAY_S * CHANGES_PER_SECOND;
  for (let written = 0; written < missed; written += BATCH)
    await gateway.change(Math.min(BATCH, missed - written));
  const live = await startLive(gateway);
  const filterOf = (index: number) =>
    followed === 'everything' ? {} : { filter: { '/station': { eq: stationOf(index * TIES) } } };
  const subscribes = times(followed === 'everything' ? 1 : STATIONS, (index) =>
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
  const writer = gateway.startWriter(CHANGES_PER_SECOND);
  const back = await runReader('returning-followers.ts', plan);
  const gatewayCpuS = ((await cpuUsOf(gateway.pid)) - cpuBefore) / 1e6;
  const writtenPerSecond = Math.round((writer.written() * 1_000) / back.elapsedMs);
  await writer[Symbol.asyncDispose]();
  const { events, p50Ms, p99Ms } = await live.ages();
  const backS = back.elapsedMs / 1_000;
  report(`rostack-gateway/followers-return/${name}/${followed}/all-at-the-head-s`, {
    ratio: backS,
    bar: BACK_BAR_S,
    want: 'at most',
    note: `${FOLLOWERS} missed ${missed} changes, ${writtenPerSecond}/s of ${CHANGES_PER_SECOND}/s written on; ${back.rows} events, ${Math.round(back.rows / backS)}/s; processor: gateway ${gatewayCpuS.toFixed(1)} s, followers ${(back.cpuMs / 1_000).toFixed(1)} s`,
  });
  report(`rostack-gateway/followers-return/${name}/${followed}/live-p99-ms`, {
    ratio: p99Ms,
    bar: LIVE_BAR_MS,
    want: 'at most',
    note: `${LIVE} that stayed, ${events} events while others came back, p50 ${p50Ms} ms`,
  });
}

for (const followed of FOLLOWED) {
  await overBoth('followers-return', async (name, database) => {
    if (DATABASES.includes(name)) await measure(name, followed, database);
  });
}
