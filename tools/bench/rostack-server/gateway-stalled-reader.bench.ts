/**
 * What readers that have stopped reading cost the others: deliveries to 100 subscribers per second of CPU time of the
 * serving thread, with 20 stalled ones beside them and without, in alternating rounds.
 */

import { median, spreadOf } from '../support/numbers.ts';
import { threadUs } from '../support/processor.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { FrameSinks } from '../support/sockets/frame-sinks.ts';
import { point, servePoints } from './support/served-points.ts';

const READERS = 100;
const STALLED = 20;
const EVENTS = 400;
const FILLING_EVENTS = 12_000;
const ROUNDS = 5;
const NOTE = 'x'.repeat(1_000);

await using gateway = await servePoints();
await using sinks = new FrameSinks();
const readers = await sinks.open(gateway.plan(READERS, {}));
let value = 0;

/** Writes events one after the other; resolves when all readers have them. */
async function deliver(events: number, batch: number): Promise<void> {
  const received = sinks.receive(readers, events * READERS);
  for (let count = 0; count < events; count += batch) {
    const records = Array.from({ length: batch }, () => {
      value += 1;
      return point('p', value, NOTE);
    });
    await gateway.put(...records);
  }
  await received;
}

const deliveriesPerSecond = async (): Promise<number> =>
  (EVENTS * READERS * 1_000_000) / (await threadUs(() => deliver(EVENTS, 1)));

async function compare(): Promise<number> {
  const alone = await deliveriesPerSecond();
  const stalled = await sinks.open({ ...gateway.plan(STALLED, {}), stalls: true });
  await deliver(FILLING_EVENTS, 200);
  const beside = await deliveriesPerSecond();
  await sinks.close(stalled);
  return beside / alone;
}

const ratios = (await runRounds({ compare }, { rounds: ROUNDS })).compare;
report('rostack-server/gateway-beside-stalled-readers', {
  ratio: median(ratios),
  bar: 0.95,
  want: 'at least',
  note: `rounds ${spreadOf(ratios)}`,
});
