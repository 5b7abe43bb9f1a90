/**
 * Pages of 50 over records of 200 bytes in SQLite while 200 changes a second are written: every query is different, with filters and sorts
 * of all kinds, compared with a bare Hono handler that sends the same bytes. Then the same over ten times as many records.
 */
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { sqliteFile } from '../support/gateway/databases.ts';
import { startPeer } from '../support/gateway/peer.ts';
import { differentPath } from '../support/gateway/readings.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';

const RECORDS = 100_000;
const QUERIES = 300_000;

const pathsOf = (records: number) => times(QUERIES, (number) => differentPath(number, records));

await using smallFile = await sqliteFile();
await using small = await startBenchGateway(smallFile, { records: RECORDS });
await using _smallWriter = small.startWriter();
const ofSmall = await small.target('small', pathsOf(RECORDS));
{
  await using bare = await startPeer({ kind: 'bytes', text: await small.get(differentPath(1, RECORDS)) });
  const results = await runLoadRounds({ peer: await bare.target(['/']), ours: ofSmall });
  reportLoadRounds('rostack-gateway/gateway-list/sqlite', results, { rate: 0.33, p99: 3.5 });
}
{
  await using largeFile = await sqliteFile();
  await using large = await startBenchGateway(largeFile, { records: 10 * RECORDS });
  await using _largeWriter = large.startWriter();
  const ours = await large.target('large', pathsOf(10 * RECORDS));
  reportLoadRounds('rostack-gateway/gateway-list/sqlite-1m', await runLoadRounds({ peer: ofSmall, ours }), {
    rate: 0.85,
  });
}
