/**
 * Pages of 50 over 100,000 records of 200 bytes in PostgreSQL while 200 changes a second are written, every query different. Compared with the
 * least that a page can be, a Hono handler that runs one named keyset statement over kept bodies and to whose table nobody writes; the first
 * run of that is right after an import, when PostgreSQL has no statistics. Then compared with the same API written by hand, with the same
 * changes.
 */
import { hasPostgres, postgresSchema, queryPostgres } from 'test-support/postgres';
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { fillPeerTable, startByHand, startPeer } from '../support/gateway/peer.ts';
import { differentPath } from '../support/gateway/readings.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';

const RECORDS = 100_000;
const QUERIES = 300_000;
const BARS = { rate: 0.7, p99: 1.8 };

async function run(): Promise<void> {
  await using database = postgresSchema();
  const tables = async () =>
    (
      await queryPostgres(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = '${database.schema}'`,
      )
    ).map(({ name }) => String(name));
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    prepare: async () => {
      for (const table of await tables())
        await queryPostgres(`alter table ${table} set (autovacuum_enabled = off)`);
      await fillPeerTable(database, RECORDS);
    },
  });
  await using peer = await startPeer({ kind: 'postgresql', ...database });
  const paths = times(QUERIES, (number) => differentPath(number, RECORDS));
  const targets = {
    peer: await peer.target(times(QUERIES, (number) => `/page/${(number * 7_919) % 99_000}`)),
    ours: await gateway.target('requests', paths),
  };
  await using _writer = gateway.startWriter();
  reportLoadRounds(
    'rostack-gateway/gateway-list/postgresql-no-statistics',
    await runLoadRounds(targets),
    BARS,
  );
  for (const table of await tables()) await queryPostgres(`analyze ${table}`);
  reportLoadRounds('rostack-gateway/gateway-list/postgresql', await runLoadRounds(targets), BARS);
  await using byHand = await startByHand(RECORDS, database);
  await using _itsWriter = byHand.startWriter();
  // For a page by id within a range of a field PostgreSQL walks the ids, 25,000 for a page: that would say more of its planner.
  const ordered = times(QUERIES, (number) => differentPath(number + Math.floor(number / 4) + 1, RECORDS));
  reportLoadRounds(
    'rostack-gateway/gateway-list/postgresql-by-hand',
    await runLoadRounds({
      peer: await byHand.target(ordered),
      ours: await gateway.target('ordered', ordered),
    }),
    BARS,
  );
}

if (hasPostgres) await run();
else console.log('gateway-list/postgresql: skipped, no PostgreSQL answers');
