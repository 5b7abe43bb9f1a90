import { attachTable, startMover } from '../src/index.ts';
import { appDatabase, until } from './attach-support.ts';
import { median, report, timed } from './support.ts';

/** Row changes per second that one mover brings from the inbox into the log: single-row transactions of an application, waiting. */
const ROWS = 20_000;
const ROUNDS = 5;
const BAR = 10_000;

const database = await appDatabase();
if (database === undefined) console.log('rostack-store/attach-move: skipped, no PostgreSQL answers');
else {
  await using opened = database;
  const { store, client } = opened;
  const source = await opened.createTable('readings', ROWS);
  // What fills the inbox is not measured.
  await client.query('set synchronous_commit = off');
  await attachTable(store, 'readings', source);
  const log = store.source('readings');
  const rates: number[] = [];
  let expected = ROWS;
  let loadMs = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round > 0) {
      await client.query(`do $$ begin for i in 1..${ROWS} loop
        update ${source.table} set value = value + 1, taken_at = clock_timestamp() where id = i;
        commit; end loop; end $$`);
      expected += ROWS;
    }
    const elapsedMs = await timed(async () => {
      await using _mover = startMover(store, { readings: source });
      await until(async () => (await log.head()).position === expected);
    });
    if (round === 0) loadMs = elapsedMs;
    else rates.push((ROWS / elapsedMs) * 1_000);
  }
  const rate = median(rates);
  report(
    { bench: 'rostack-store/attach-move', ratio: rate / BAR, bar: 1, want: 'at least' },
    `${Math.round(rate)} row changes/s moved (${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))}), the mover's start included; the first copy ${Math.round((ROWS / loadMs) * 1_000)} rows/s`,
  );
}
