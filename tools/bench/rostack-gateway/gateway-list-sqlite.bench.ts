/**
 * Pages of 50 over records of 200 bytes in SQLite while 200 changes a second are written: every query is different, with filters and sorts
 * of all kinds, compared with the same API written by hand, with the same changes. Then the same over ten times as many records.
 */
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { sqliteFile } from '../support/gateway/databases.ts';
import { startByHand } from '../support/gateway/peer.ts';
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
  await using byHand = await startByHand(RECORDS);
  await using _writer = byHand.startWriter();
  const results = await runLoadRounds({ peer: await byHand.target(pathsOf(RECORDS)), ours: ofSmall });
  reportLoadRounds('rostack-gateway/gateway-list/sqlite-by-hand', results, { rate: 1.2, p99: 1.3 });
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
