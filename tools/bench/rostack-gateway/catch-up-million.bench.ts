/**
 * One follower that was offline catches up with a million changes, from its cursor to the head, from SQLite and from PostgreSQL, in both
 * encodings. The peer is a bare process that reads the log and the bodies that events carry with the same number of keyset statements
 * (named, through `pg`; better-sqlite3). Gateway, follower and peer are separate processes on the same cores. The ratio compares rates by
 * the clock. Shorten it with `CHANGES=100000` and `ROUNDS=1`.
 */
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { type BenchDatabase, overBoth } from '../support/gateway/databases.ts';
import { median, ratiosOf } from '../support/numbers.ts';
import { cpuUsOf } from '../support/processes.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { type Reading, runReader } from './support/run-reader.ts';

const CHANGES = Number(process.env['CHANGES'] ?? 1_000_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const RECORDS = 50_000;
/** Changes per request of the writer. */
const BATCH = 5_000;
const BAR = 0.3;

interface CatchUpRound {
  readonly follower: Reading;
  readonly gatewayCpuMs: number;
  readonly peer: Reading;
}

const perSecond = ({ rows, elapsedMs }: Reading): number => (rows / elapsedMs) * 1_000;

function reportCatchUp(bench: string, rounds: readonly CatchUpRound[]): void {
  const middle = (of: (round: CatchUpRound) => number): number => median(rounds.map(of));
  const ratios = ratiosOf(
    rounds.map(({ follower }) => perSecond(follower)),
    rounds.map(({ peer }) => perSecond(peer)),
  );
  const us = (cpuMs: number): string => ((cpuMs * 1_000) / CHANGES).toFixed(2);
  report(`rostack-gateway/catch-up-million/${bench}`, {
    ratio: median(ratios),
    bar: BAR,
    want: 'at least',
    figures: {
      perSecond: Math.round(middle(({ follower }) => perSecond(follower))),
      peerPerSecond: Math.round(middle(({ peer }) => perSecond(peer))),
    },
    note: `${Math.round(middle(({ follower }) => perSecond(follower)))} changes/s of ${CHANGES}, peer ${Math.round(middle(({ peer }) => perSecond(peer)))}; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; us of the processor for a change: gateway ${us(middle(({ gatewayCpuMs }) => gatewayCpuMs))}, follower ${us(middle(({ follower }) => follower.cpuMs))}, peer ${us(middle(({ peer }) => peer.cpuMs))}`,
  });
}

async function measure(name: string, database: BenchDatabase): Promise<void> {
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    sections: {
      limits: { heartbeat_interval: '1h' },
      retention: { max_changes: RECORDS + 2 * CHANGES },
    },
  });
  const first = JSON.parse(await gateway.get('/api/readings?limit=1')) as {
    readonly page: { readonly event_cursor: string };
  };
  for (let written = 0; written < CHANGES; written += BATCH)
    await gateway.change(Math.min(BATCH, CHANGES - written));
  const subscribe = {
    type: 'subscribe',
    subscription_id: 's',
    resource: 'readings',
    cursor: first.page.event_cursor,
  };
  const followers = gateway.clients(1, {});
  const catchUp = async (encoding: string): Promise<CatchUpRound> => {
    const [authenticate = ''] = followers.greetings;
    const greetings = [authenticate, JSON.stringify({ ...subscribe, event_encoding: encoding })];
    const before = await cpuUsOf(gateway.pid);
    const follower = await runReader('frames-reader.ts', {
      plan: { ...followers, greetings },
      events: CHANGES,
    });
    const gatewayCpuMs = ((await cpuUsOf(gateway.pid)) - before) / 1_000;
    const peer = await runReader('log-reader.ts', { database, after: RECORDS });
    if (peer.rows !== CHANGES) throw new Error(`the peer read ${peer.rows} changes of ${CHANGES}`);
    return { follower, gatewayCpuMs, peer };
  };
  const rounds = await runRounds(
    { json: () => catchUp('json'), 'compact-json': () => catchUp('compact-json') },
    { rounds: ROUNDS, warmUps: 0 },
  );
  for (const [encoding, found] of Object.entries(rounds)) reportCatchUp(`${name}/${encoding}`, found);
}

await overBoth('catch-up-million', measure);
