import { Client } from 'pg';
import { attachTable } from '../src/index.ts';
import { appDatabase } from './attach-support.ts';
import { median, POSTGRES_URL, report, timed } from './support.ts';

/**
 * What the trigger costs an application: several connections, each updating one row per transaction, over an attached table and over
 * its twin without triggers, in turns. The loops run in the server, so that no client's own work hides the cost.
 */
const CLIENTS = 8;
const ROWS = 20_000;
const TRANSACTIONS = 200;
const ROUNDS = 25;

const database = await appDatabase();
if (database === undefined) console.log('rostack-store/attach-trigger: skipped, no PostgreSQL answers');
else {
  await using opened = database;
  const attached = await opened.createTable('attached', ROWS);
  const plain = await opened.createTable('plain', ROWS);
  await attachTable(opened.store, 'readings', attached);
  const clients = Array.from({ length: CLIENTS }, () => new Client({ connectionString: POSTGRES_URL }));
  await Promise.all(clients.map((writer) => writer.connect()));
  const write = (table: string) =>
    timed(() =>
      Promise.all(
        clients.map((writer) =>
          writer.query(`do $$ declare k bigint; begin for i in 1..${TRANSACTIONS} loop
            k := 1 + floor(random() * ${ROWS});
            update ${table} set value = value + 1, taken_at = clock_timestamp() where id = k;
            commit; end loop; end $$`),
        ),
      ),
    );
  const rateOf = (elapsedMs: number) => (CLIENTS * TRANSACTIONS * 1_000) / elapsedMs;
  const rates: { attached: number[]; plain: number[] } = { attached: [], plain: [] };
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const isEven = round % 2 === 0;
    const first = rateOf(await write(isEven ? attached.table : plain.table));
    const second = rateOf(await write(isEven ? plain.table : attached.table));
    const [withTrigger, without] = isEven ? [first, second] : [second, first];
    // The first round warms up.
    if (round < 0) continue;
    rates.attached.push(withTrigger);
    rates.plain.push(without);
    ratios.push(withTrigger / without);
  }
  await Promise.all(clients.map((writer) => writer.end()));
  report(
    { bench: 'rostack-store/attach-trigger', ratio: median(ratios), bar: 0.7, want: 'at least' },
    `${Math.round(median(rates.attached))} transactions/s with the trigger, ${Math.round(median(rates.plain))} without, ${CLIENTS} connections`,
  );
}
