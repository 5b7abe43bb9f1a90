/**
 * Pages of 50 over records of 200 bytes in SQLite while 200 changes a second are written: every query is different, with filters and sorts
 * of all kinds, compared with a bare Hono handler that sends the same bytes. Then the same over ten times as many records.
 */
import { join } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { startPeer } from '../support/gateway/peer.ts';
import { differentPath } from '../support/gateway/readings.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';

const RECORDS = 100_000;
const QUERIES = 300_000;

const pathsOf = (records: number) => times(QUERIES, (number) => differentPath(number, records));

await using folder = await temporaryFolder();
const databaseOf = (name: string) => ({ url: `sqlite:${join(folder.path, name)}`, schema: 'main' });
await using small = await startBenchGateway(databaseOf('small.db'), { records: RECORDS });
await using _smallWriter = small.startWriter();
const ofSmall = await small.target('small', pathsOf(RECORDS));
{
  await using bare = await startPeer({ kind: 'bytes', text: await small.get(differentPath(1, RECORDS)) });
  const results = await runLoadRounds({ peer: await bare.target(['/']), ours: ofSmall });
  reportLoadRounds('rostack-gateway/gateway-list/sqlite', results, { rate: 0.33, p99: 3.5 });
}
{
  await using large = await startBenchGateway(databaseOf('large.db'), { records: 10 * RECORDS });
  await using _largeWriter = large.startWriter();
  const ours = await large.target('large', pathsOf(10 * RECORDS));
  reportLoadRounds('rostack-gateway/gateway-list/sqlite-1m', await runLoadRounds({ peer: ofSmall, ours }), {
    rate: 0.85,
  });
}
