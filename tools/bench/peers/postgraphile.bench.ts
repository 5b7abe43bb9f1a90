/**
 * Lists of the same table of PostgreSQL: our gateway with the table attached, and PostGraphile. 100,000 rows of 200 bytes, 32 connections,
 * alternating rounds; each request wants the first 25 to 74 rows of one of 1,000 stations by altitude, all of their columns, and the cursor
 * after them. No request is repeated and nothing is written, so that neither answers from memory nor pays for the other's work on changes.
 */
import { join } from 'node:path';
import { queryPostgres } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { EVENTS } from '../support/gateway/config.ts';
import { SCHEMA } from '../support/gateway/readings.ts';
import { type Target, writeRequests } from '../support/load/load.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';
import { cpuUsOf } from '../support/processes.ts';
import { startServer } from './contenders/points-server.ts';
import { startPostGraphile } from './contenders/postgraphile.ts';
import { type ConfiguredResource, startRostack } from './contenders/rostack.ts';
import { installPeers, versionOf } from './published/install-peers.ts';

const ROWS = 100_000;
const STATIONS = 1_000;
const LEAST_ROWS = 25;
const LIMITS = 50;
const BARS = { rate: 1, p99: 1 };

const READINGS: ConfiguredResource = {
  name: 'readings',
  schema: SCHEMA,
  configuration: {
    source: { table: 'public.readings', key: 'id', columns: Object.keys(SCHEMA.properties) },
    filterable: { '/station': ['eq'] },
    sortable: ['/altitude'],
    composite_indexes: [{ equal: '/station', sort: '/altitude' }],
    events: EVENTS,
  },
};

const QUERY = `query ($station: String!, $first: Int!) {
  allReadings(condition: { station: $station }, orderBy: [ALTITUDE_ASC], first: $first) {
    nodes { rowId station altitude name active observedAt note }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface Wanted {
  readonly station: string;
  readonly first: number;
}

const wanted = times(
  STATIONS * LIMITS,
  (number): Wanted => ({
    station: `station-${(number * 61) % STATIONS}`,
    first: LEAST_ROWS + Math.floor(number / STATIONS),
  }),
);

const ourPath = ({ station, first }: Wanted): string =>
  `/api/readings?limit=${first}&sort=/altitude&filter=${encodeURIComponent(JSON.stringify({ '/station': { eq: station } }))}`;

const peerPath = (variables: Wanted): string =>
  `/graphql?query=${encodeURIComponent(QUERY.replaceAll(/\s+/g, ' '))}&variables=${encodeURIComponent(JSON.stringify(variables))}`;

/** @throws Error unless the server answers with as many rows as were wanted */
async function check(url: string, headers: Readonly<Record<string, string>>, rows: number): Promise<void> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const found = text.split('"station":').length - 1;
  if (response.status !== 200 || found !== rows) throw new Error(`${found} rows of ${rows}: ${text}`);
}

installPeers();
console.log(`PostGraphile ${versionOf('postgraphile')}`);
await using server = await startServer();
await using database = await server.createDatabase();
await using folder = await temporaryFolder();
await queryPostgres(
  `create table readings (id text primary key, station text not null, altitude integer not null, name text not null,
      active boolean not null, observed_at text not null, note text not null);
    insert into readings select 'reading-' || lpad(n::text, 7, '0'), 'station-' || n % ${STATIONS}, (n::bigint * 7919) % ${ROWS},
      '관측소 ' || n, n % 2 = 0, '2026-08-14T03:00:00Z', repeat('x', 36) from generate_series(0, ${ROWS - 1}) n;
    create index on readings (station, altitude, id)`,
  database.url,
);
await using gateway = await startRostack(database.url, READINGS);
await using peer = await startPostGraphile(database.url);
await queryPostgres('vacuum analyze', database.url);

const first = wanted[0] ?? { station: '', first: 0 };
const accept = { accept: 'application/json' };
const ourHeaders = {
  ...accept,
  host: `localhost:${gateway.port}`,
  authorization: `Rostack-Token ${gateway.token}`,
};
await check(`http://localhost:${gateway.port}${ourPath(first)}`, ourHeaders, first.first);
await check(`http://127.0.0.1:${peer.port}${peerPath(first)}`, accept, first.first);

const target = async (
  { pid, port }: { readonly pid: number; readonly port: string | number },
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<Target> => ({
  port: Number(port),
  usedUs: () => cpuUsOf(pid),
  requestsFile: await writeRequests(join(folder.path, String(pid)), paths, headers),
});
const targets = {
  ours: await target(gateway, wanted.map(ourPath), ourHeaders),
  peer: await target(peer, wanted.map(peerPath), { ...accept, host: 'localhost' }),
};
reportLoadRounds('peers/postgraphile/list', await runLoadRounds(targets), BARS);
