import { attachTable, startMover } from 'rostack-store';
import { median, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { appDatabase, until } from './support/app-database.ts';
import { timed } from './support/stores.ts';

/**
 * Row changes per second that one mover brings from the inbox into the log: transactions of an application, waiting, that changed one
 * row each, or a hundred in one statement.
 */
const ROWS = 20_000;
const ROUNDS = 5;
const BAR = 10_000;
const MANY = 100;

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
  let expected = ROWS;
  const moved = async () => {
    const elapsedMs = await timed(async () => {
      await using _mover = startMover(store, { readings: source });
      await until(async () => (await log.head()).position === expected);
    });
    return (ROWS / elapsedMs) * 1_000;
  };
  const loadRate = await moved();
  const ratesOf = async (rowsOfStatement: number) => {
    const work = async () => {
      await client.query(`do $$ begin for i in 1..${ROWS} by ${rowsOfStatement} loop
        update ${source.table} set value = value + 1, taken_at = clock_timestamp() where id between i and i + ${rowsOfStatement - 1};
        commit; end loop; end $$`);
      expected += ROWS;
      return moved();
    };
    return (await runRounds({ work }, { rounds: ROUNDS, warmUps: 0 })).work;
  };
  const single = await ratesOf(1);
  const many = await ratesOf(MANY);
  for (const [bench, rates, copy] of [
    ['attach-move', single, `; the first copy ${Math.round(loadRate)} rows/s`],
    ['attach-move-many', many, `; ${MANY} rows in a statement`],
  ] as const) {
    const rate = median(rates);
    report(`rostack-store/${bench}`, {
      ratio: rate / BAR,
      bar: 1,
      want: 'at least',
      note: `${Math.round(rate)} row changes/s moved, rounds ${spreadOf(rates, 0)}, the mover's start included${copy}`,
    });
  }
}
