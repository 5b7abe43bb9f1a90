/**
 * The first sync of a million records of 150 bytes by rostack-client, from SQLite and from PostgreSQL, over plain HTTP: a follow that keeps
 * its set in memory runs until it is live, once with one chain of pages and once with 4 ranges. The peer is a bare Node process that reads
 * `COPY ... TO STDOUT` of the same rows from psql, splits the lines and parses each; it keeps none. Gateway and client are separate
 * processes on the same cores. The ratio compares rates by the clock; psql's processor time counts as the peer's, the databases' as
 * nobody's. One sync of each database is not counted. Shorten it with `RECORDS=100000` and `ROUNDS=1`.
 */
import { join } from 'node:path';
import { hasPostgres, POSTGRES_URL, postgresSchema, queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import type { ConfigInput } from '../../../apps/rostack-gateway/src/config/model/config-model.ts';
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { EVENTS } from '../support/gateway/config.ts';
import type { BenchDatabase } from '../support/gateway/databases.ts';
import { insecureAddress } from '../support/gateway/insecure-address.ts';
import { reading } from '../support/gateway/readings.ts';
import { runRounds } from '../support/rounds.ts';
import { type ReadingRound, readingRound, reportReading } from './support/reading-rounds.ts';
import { runReader } from './support/run-reader.ts';

const RECORDS = Number(process.env['RECORDS'] ?? 1_000_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const BAR = 0.25;
const RESOURCES: ConfigInput['resources'] = {
  readings: {
    schema: 'reading.schema.json',
    read_permissions: ['readings:read'],
    subscribe_permissions: ['readings:read'],
    filterable: { '/id': ['gte', 'lt'] },
    sortable: ['/id'],
    events: EVENTS,
  },
};

const small = (number: number) => reading(number, RECORDS, '');

/** Puts the same rows into a table that holds nothing else. */
async function fillTable(table: string): Promise<void> {
  await queryPostgres(`create table ${table} as select json_build_object('id', 'reading-' || lpad(n::text, 7, '0'),
    'station', 'station-' || lpad((n / 400)::text, 4, '0'), 'altitude', (n::bigint * 7919) % ${RECORDS}, 'name', '관측소 ' || n,
    'active', n % 2 = 0, 'observed_at', '2026-08-14T03:00:00Z', 'note', '')::text as body
    from generate_series(0, ${RECORDS - 1}) as n`);
  await queryPostgres(`vacuum analyze ${table}`);
}

/** What the server would do in the middle of a round; the peer's table is vacuumed too. */
async function settle(schema: string): Promise<void> {
  const tables = await queryPostgres(`select tablename from pg_tables where schemaname = '${schema}'`);
  for (const { tablename } of tables)
    await queryPostgres(`vacuum analyze ${schema}.${JSON.stringify(tablename)}`);
  await queryPostgres('checkpoint');
}

async function measure(name: string, database: BenchDatabase, table: string): Promise<void> {
  const { url, sections } = await insecureAddress();
  const configured: Partial<ConfigInput> = {
    ...sections,
    resources: RESOURCES,
    limits: { max_page_size: 1_000 },
    retention: { max_changes: 2 * RECORDS },
  };
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    record: small,
    sections: configured,
  });
  if (name === 'postgresql') await settle(database.schema);
  const client = (ranges: number) => runReader('sync-reader.ts', { url, token: gateway.token, ranges });
  // The gateway has been at work for a while, as it mostly is.
  await client(1);
  const sync = (ranges: number) => (): Promise<ReadingRound> =>
    readingRound(gateway, RECORDS, {
      ours: () => client(ranges),
      peer: () => runReader('copy-reader.ts', { url: POSTGRES_URL, table }),
    });
  const rounds = await runRounds(
    { 'one-chain': sync(1), '4-ranges': sync(4) },
    { rounds: ROUNDS, warmUps: 0 },
  );
  for (const [bench, found] of Object.entries(rounds))
    reportReading(`rostack-gateway/first-sync-million/${name}/${bench}`, found, BAR);
}

async function run(): Promise<void> {
  await using folder = await temporaryFolder();
  await using database = postgresSchema();
  await queryPostgres(`create schema ${database.schema}`);
  const table = `${database.schema}.peer`;
  await fillTable(table);
  await measure('sqlite', { url: `sqlite:${join(folder.path, 'readings.db')}`, schema: 'main' }, table);
  await measure('postgresql', database, table);
}

if (hasPostgres) await run();
else console.log('first-sync-million: skipped, no PostgreSQL answers');
