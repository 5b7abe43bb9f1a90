/** Eight queries in turn over 100,000 records while 200 changes a second are written. */
import { join } from 'node:path';
import { hasPostgres, postgresSchema } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { fillPeerTable, startPeer } from '../support/gateway/peer.ts';
import { differentPath } from '../support/gateway/readings.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';

const RECORDS = 100_000;
const paths = times(8, (number) => differentPath(number, RECORDS));

{
  await using folder = await temporaryFolder();
  const url = `sqlite:${join(folder.path, 'readings.db')}`;
  await using gateway = await startBenchGateway({ url, schema: 'main' }, { records: RECORDS });
  await using bare = await startPeer({ kind: 'bytes', text: await gateway.get(differentPath(1, RECORDS)) });
  const targets = { peer: await bare.target(['/']), ours: await gateway.target('requests', paths) };
  await using _writer = gateway.startWriter();
  reportLoadRounds('rostack-gateway/gateway-list/repeated/sqlite', await runLoadRounds(targets), {
    rate: 0.65,
  });
}
if (hasPostgres) {
  await using database = postgresSchema();
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    prepare: () => fillPeerTable(database, RECORDS),
  });
  await using peer = await startPeer({ kind: 'postgresql', ...database });
  const targets = {
    peer: await peer.target(times(8, (number) => `/page/${number * 7_919}`)),
    ours: await gateway.target('requests', paths),
  };
  await using _writer = gateway.startWriter();
  reportLoadRounds('rostack-gateway/gateway-list/repeated/postgresql', await runLoadRounds(targets), {
    rate: 0.8,
  });
} else console.log('gateway-list/repeated/postgresql: skipped, no PostgreSQL answers');
