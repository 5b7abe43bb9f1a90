/**
 * A table of PostgreSQL that an application writes to, and clients that follow all of it: our gateway with the table attached, and Zero, each
 * with its own client, over the same server of PostgreSQL in alternating rounds. A round has a database, a gateway and followers of its own,
 * and 200 changes a second of plain SQL, each in a transaction; latency runs from the answer to the commit to the followers' callbacks. With
 * 20 followers of 10,000 rows, and with one of 100,000. `BENCH_ROUNDS` and `BENCH_MEASURED_S` shorten it.
 */
import { Client } from 'pg';
import { runRounds } from '../support/rounds.ts';
import type { Contender } from './contenders/contender.ts';
import { copySeconds, fillPoints, startServer } from './contenders/points-server.ts';
import { ATTACHED_POINTS, startRostack } from './contenders/rostack.ts';
import { startZero } from './contenders/zero.ts';
import { installPeers, versionOf } from './published/install-peers.ts';
import { type FollowRound, followRound } from './rounds/follow-round.ts';
import { type Bars, reportFollowRounds, reportRatio } from './rounds/report-rounds.ts';
import { sharedNowMs } from './support/clock.ts';
import { idOf } from './support/points.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const BARS: Bars = { live: 1, p50: 1, p99: 0.6, processor: 1, memory: 1 };

interface AttachedRound extends FollowRound {
  /** From the first command until clients can connect. */
  readonly readyS: number;
  readonly copyS: number;
}

installPeers();
console.log(`Zero ${versionOf('@rocicorp/zero')}`);
await using server = await startServer();

async function measure(
  rows: number,
  followers: number,
  start: (url: string) => Promise<Contender>,
): Promise<AttachedRound> {
  await using database = await server.createDatabase();
  await fillPoints(database, rows);
  const copyS = await copySeconds(database);
  const startedMs = performance.now();
  await using contender = await start(database.url);
  const readyS = (performance.now() - startedMs) / 1_000;
  const writer = new Client({ connectionString: database.url });
  await writer.connect();
  try {
    const write = async (value: number): Promise<number> => {
      const id = idOf(value, rows);
      await writer.query('update points set value = $1 where id = $2', [value, String(id)]);
      return sharedNowMs();
    };
    const round = await followRound(contender, { followers, write, databasePid: server.pid });
    return { ...round, readyS, copyS };
  } finally {
    await writer.end();
  }
}

for (const [bench, rows, followers] of [
  ['20-followers', 10_000, 20],
  ['one-follower', 100_000, 1],
] as const) {
  const rounds = await runRounds(
    {
      ours: () => measure(rows, followers, (url) => startRostack(url, ATTACHED_POINTS)),
      peer: () => measure(rows, followers, startZero),
    },
    { rounds: ROUNDS, warmUps: 0, alternates: true },
  );
  reportFollowRounds(`peers/zero/${bench}`, rounds, BARS);
  if (followers > 1) continue;
  const copyS = [...rounds.ours, ...rounds.peer].map((round) => round.copyS);
  const least = Number(Math.min(...copyS).toPrecision(3));
  reportRatio('peers/zero/ready', rounds, ({ readyS }) => readyS, {
    bar: 1.5,
    name: 'S',
    unit: 's',
    beside: `; COPY into a second table ${least} s`,
    figures: { copyS: least },
  });
}
