/** Eight queries in turn over 100,000 records while 200 changes a second are written. */
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { overBoth } from '../support/gateway/databases.ts';
import { fillPeerTable, startPeer } from '../support/gateway/peer.ts';
import { differentPath } from '../support/gateway/readings.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';

const RECORDS = 100_000;
const paths = times(8, (number) => differentPath(number, RECORDS));

await overBoth('gateway-list/repeated', async (name, database) => {
  const isPostgres = name === 'postgresql';
  const prepare = async () => isPostgres && fillPeerTable(database, RECORDS);
  await using gateway = await startBenchGateway(database, { records: RECORDS, prepare });
  await using peer = await startPeer(
    isPostgres
      ? { kind: 'postgresql', ...database }
      : { kind: 'bytes', text: await gateway.get(differentPath(1, RECORDS)) },
  );
  const targets = {
    peer: await peer.target(isPostgres ? times(8, (number) => `/page/${number * 7_919}`) : ['/']),
    ours: await gateway.target('requests', paths),
  };
  await using _writer = gateway.startWriter();
  const rate = isPostgres ? 0.8 : 0.65;
  reportLoadRounds(`rostack-gateway/gateway-list/repeated/${name}`, await runLoadRounds(targets), { rate });
});
