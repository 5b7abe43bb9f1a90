/**
 * Without a table: changes that a program posts to the admin listener of our gateway, over SQLite and over PostgreSQL, beside changes that
 * it puts into a key-value bucket of JetStream, which clients watch over WebSocket. 10,000 records of 200 bytes, 20 followers, 200 changes a
 * second, one to a request; latency runs from before the request to the followers' callbacks. Alternating rounds, each with a server,
 * a store and followers of its own. `BENCH_ROUNDS` and `BENCH_MEASURED_S` shorten it.
 */
import { sqliteFile } from '../support/gateway/databases.ts';
import { times } from '../support/numbers.ts';
import { runRounds } from '../support/rounds.ts';
import { natsVersion, startJetStream } from './contenders/jetstream.ts';
import { startServer } from './contenders/points-server.ts';
import { POSTED_POINTS, startRostack } from './contenders/rostack.ts';
import { installPeers } from './published/install-peers.ts';
import { type FollowRound, followRound } from './rounds/follow-round.ts';
import { type Bars, reportFollowRounds } from './rounds/report-rounds.ts';
import { sharedNowMs } from './support/clock.ts';
import { idOf, pointOf } from './support/points.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const RECORDS = 10_000;
const BATCH = 500;
const FOLLOWERS = 20;
/** No goals: more than what was measured, so that a step backwards shows. */
const BARS: Bars = { live: 2, p50: 5, p99: 4, processor: 2, memory: 6 };

async function run(): Promise<void> {
  installPeers();
  await using server = await startServer();

  const ours = async (url: string, databasePid?: number): Promise<FollowRound> => {
    await using contender = await startRostack(url, POSTED_POINTS);
    for (let from = 0; from < RECORDS; from += BATCH)
      await contender.post(times(BATCH, (index) => pointOf(from + index, 0)));
    const write = async (value: number): Promise<number> => {
      const atMs = sharedNowMs();
      await contender.post([pointOf(idOf(value, RECORDS), value)]);
      return atMs;
    };
    return await followRound(contender, { followers: FOLLOWERS, write, databasePid });
  };

  const peer = async (): Promise<FollowRound> => {
    await using contender = await startJetStream();
    const { bucket } = contender;
    const put = ({ id, ...point }: ReturnType<typeof pointOf>) =>
      bucket.put(id, JSON.stringify({ id, ...point }));
    for (let from = 0; from < RECORDS; from += BATCH)
      await Promise.all(times(BATCH, (index) => put(pointOf(from + index, 0))));
    const write = async (value: number): Promise<number> => {
      const atMs = sharedNowMs();
      await put(pointOf(idOf(value, RECORDS), value));
      return atMs;
    };
    return await followRound(contender, { followers: FOLLOWERS, write });
  };

  const rounds = await runRounds(
    {
      sqlite: async () => {
        await using file = await sqliteFile();
        return await ours(file.url);
      },
      peer,
      postgresql: async () => {
        await using database = await server.createDatabase();
        return await ours(database.url, server.pid);
      },
    },
    { rounds: ROUNDS, warmUps: 0, alternates: true },
  );
  for (const name of ['sqlite', 'postgresql'] as const)
    reportFollowRounds(`peers/jetstream/${name}`, { ours: rounds[name], peer: rounds.peer }, BARS);
}

const version = await natsVersion();
console.log(version ?? 'peers/jetstream: skipped, no nats-server is installed: apt-get install nats-server');
if (version !== undefined) await run();
