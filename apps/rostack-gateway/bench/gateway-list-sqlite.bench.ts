/**
 * Pages of 50 over records of 200 bytes in SQLite while 200 changes a second are written: every query another one, with filters and
 * sorts of all kinds, beside a bare Hono handler that sends the same bytes. Then the same over ten times as many records.
 */
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { startBenchGateway } from './support/bench-gateway.ts';
import { times } from './support/numbers.ts';
import { startPeer } from './support/peer.ts';
import { differentPath } from './support/readings.ts';
import { reportRounds, runRounds } from './support/rounds.ts';

const RECORDS = 100_000;
const QUERIES = 300_000;

const pathsOf = (records: number) => times(QUERIES, (number) => differentPath(number, records));

await using folder = await temporaryFolder();
const databaseOf = (name: string) => ({ url: `sqlite:${join(folder.path, name)}`, schema: 'main' });
await using small = await startBenchGateway(databaseOf('small.db'), RECORDS);
await using large = await startBenchGateway(databaseOf('large.db'), 10 * RECORDS);
await using bare = await startPeer({ kind: 'bytes', text: await small.get(differentPath(1, RECORDS)) });
const targets = {
  peer: await bare.target(['/']),
  small: await small.target('small', pathsOf(RECORDS)),
  large: await large.target('large', pathsOf(10 * RECORDS)),
};
await using _smallWriter = small.startWriter();
await using _largeWriter = large.startWriter();
const results = await runRounds(targets);
reportRounds('gateway-list/sqlite', { ours: results.small, peer: results.peer }, { rate: 0.33, p99: 3.5 });
reportRounds('gateway-list/sqlite-1m', { ours: results.large, peer: results.small }, { rate: 0.85 });
