/** Items by id over 100,000 records while 200 changes a second are written, each request for a different id. */
import { startBenchGateway } from '../support/gateway/bench-gateway.ts';
import { overBoth } from '../support/gateway/databases.ts';
import { fillPeerTable, startByHand, startPeer } from '../support/gateway/peer.ts';
import { idOf } from '../support/gateway/readings.ts';
import type { Target } from '../support/load/load.ts';
import { reportLoadRounds, runLoadRounds } from '../support/load/load-rounds.ts';
import { times } from '../support/numbers.ts';

const RECORDS = 100_000;
const ids = times(RECORDS, (number) => idOf((number * 7_919) % RECORDS));
const paths = ids.map((id) => `/api/readings/${id}`);

await overBoth('gateway-item', async (name, database) => {
  const isPostgres = name === 'postgresql';
  const prepare = async () => isPostgres && fillPeerTable(database, RECORDS);
  await using gateway = await startBenchGateway(database, { records: RECORDS, prepare });
  await using _writer = gateway.startWriter();
  const compare = async (bench: string, peer: Target) => {
    const ours = await gateway.target('requests', paths);
    reportLoadRounds(`rostack-gateway/gateway-item/${bench}`, await runLoadRounds({ peer, ours }), {
      rate: 0.9,
    });
  };
  if (isPostgres) {
    await using peer = await startPeer({ kind: 'postgresql', ...database });
    await compare(name, await peer.target(ids.map((id) => `/item/${id}`)));
  }
  await using byHand = await startByHand(RECORDS, isPostgres ? database : undefined);
  await using _itsWriter = byHand.startWriter();
  await compare(`${name}-by-hand`, await byHand.target(paths));
});
