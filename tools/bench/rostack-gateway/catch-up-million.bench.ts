/**
 * One follower that was offline catches up with a million changes, from its cursor to the head, from SQLite and from PostgreSQL, in both
 * encodings. The peer is a bare process that reads the log and the bodies that events carry with the same number of keyset statements
 * (named, through `pg`; better-sqlite3). Gateway, follower and peer are separate processes on the same cores. The ratio compares rates by
 * the clock. Shorten it with `CHANGES=100000` and `ROUNDS=1`.
 */
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { type BenchDatabase, overBoth } from '../support/gateway/databases.ts';
import { runRounds } from '../support/rounds.ts';
import { type ReadingRound, readingRound, reportReading } from './support/reading-rounds.ts';
import { runReader } from './support/run-reader.ts';

const CHANGES = Number(process.env['CHANGES'] ?? 1_000_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const RECORDS = 50_000;
/** Changes per request of the writer. */
const BATCH = 5_000;
const BAR = 0.3;

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
  const [authenticate = ''] = followers.greetings;
  const catchUp = (encoding: string) => (): Promise<ReadingRound> => {
    const greetings = [authenticate, JSON.stringify({ ...subscribe, event_encoding: encoding })];
    const plan = { ...followers, greetings };
    return readingRound(gateway, CHANGES, {
      ours: () => runReader('frames-reader.ts', { plan, events: CHANGES }),
      peer: () => runReader('log-reader.ts', { database, after: RECORDS }),
    });
  };
  const rounds = await runRounds(
    { json: catchUp('json'), 'compact-json': catchUp('compact-json') },
    { rounds: ROUNDS, warmUps: 0 },
  );
  for (const [encoding, found] of Object.entries(rounds))
    reportReading(`rostack-gateway/catch-up-million/${name}/${encoding}`, found, BAR);
}

await overBoth('catch-up-million', measure);
