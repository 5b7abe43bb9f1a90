/** Items by id over 100,000 records while 200 changes a second are written, each request for a different id. */
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { overBoth } from '../support/gateway/databases.ts';
import { fillPeerTable, startPeer } from '../support/gateway/peer.ts';
import { idOf } from '../support/gateway/readings.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';

const RECORDS = 100_000;
const ids = times(RECORDS, (number) => idOf((number * 7_919) % RECORDS));
const paths = ids.map((id) => `/api/readings/${id}`);

await overBoth('gateway-item', async (name, database) => {
  const isPostgres = name === 'postgresql';
  const prepare = async () => isPostgres && fillPeerTable(database, RECORDS);
  await using gateway = await startBenchGateway(database, { records: RECORDS, prepare });
  await using peer = await startPeer(
    isPostgres
      ? { kind: 'postgresql', ...database }
      : { kind: 'bytes', text: await gateway.get(paths[0] ?? '') },
  );
  const targets = {
    peer: await peer.target(isPostgres ? ids.map((id) => `/item/${id}`) : ['/']),
    ours: await gateway.target('requests', paths),
  };
  await using _writer = gateway.startWriter();
  const rate = isPostgres ? 0.8 : 0.4;
  reportLoadRounds(`rostack-gateway/gateway-item/${name}`, await runLoadRounds(targets), { rate });
});
