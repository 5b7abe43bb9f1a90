/** Items by id over 100,000 records while 200 changes a second are written, each request for a different id. */
import { join } from 'node:path';
import { hasPostgres, postgresSchema } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { fillPeerTable, startPeer } from '../support/gateway/peer.ts';
import { idOf } from '../support/gateway/readings.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';

const RECORDS = 100_000;
const ids = times(RECORDS, (number) => idOf((number * 7_919) % RECORDS));
const paths = ids.map((id) => `/api/readings/${id}`);

{
  await using folder = await temporaryFolder();
  const url = `sqlite:${join(folder.path, 'readings.db')}`;
  await using gateway = await startBenchGateway({ url, schema: 'main' }, { records: RECORDS });
  await using bare = await startPeer({ kind: 'bytes', text: await gateway.get(paths[0] ?? '') });
  const targets = { peer: await bare.target(['/']), ours: await gateway.target('requests', paths) };
  await using _writer = gateway.startWriter();
  reportLoadRounds('rostack-gateway/gateway-item/sqlite', await runLoadRounds(targets), { rate: 0.4 });
}
if (hasPostgres) {
  await using database = postgresSchema();
  await using gateway = await startBenchGateway(database, {
    records: RECORDS,
    prepare: () => fillPeerTable(database, RECORDS),
  });
  await using peer = await startPeer({ kind: 'postgresql', ...database });
  const targets = {
    peer: await peer.target(ids.map((id) => `/item/${id}`)),
    ours: await gateway.target('requests', paths),
  };
  await using _writer = gateway.startWriter();
  reportLoadRounds('rostack-gateway/gateway-item/postgresql', await runLoadRounds(targets), { rate: 0.8 });
} else console.log('gateway-item/postgresql: skipped, no PostgreSQL answers');
