import { Client } from 'pg';
import { attachTable } from '../src/index.ts';
import { appDatabase } from './attach-support.ts';
import { median, POSTGRES_URL, report, timed } from './support.ts';

/**
 * What the trigger costs an application, over an attached table and over its twin without triggers, in turns. The transactions are those
 * of `pgbench --builtin=simple-update`, one round trip each: a row is updated and read, and a line goes into a history that is not attached.
 * Beside it, and without a bar, the worst case: loops inside of the server that do nothing but update one row and commit.
 */
const CLIENTS = 8;
const ROWS = 20_000;
const TRANSACTIONS = 100;
const ROUNDS = 16;

const database = await appDatabase();
if (database === undefined) console.log('rostack-store/attach-trigger: skipped, no PostgreSQL answers');
else {
  await using opened = database;
  const attached = await opened.createTable('attached', ROWS);
  const plain = await opened.createTable('plain', ROWS);
  const history = `${opened.schema}.history`;
  await opened.client.query(`create table ${history} (id bigint, delta int, at timestamptz default now())`);
  await attachTable(opened.store, 'readings', attached);
  const clients = Array.from({ length: CLIENTS }, () => new Client({ connectionString: POSTGRES_URL }));
  await Promise.all(clients.map((writer) => writer.connect()));

  const simpleUpdates = async (writer: Client, table: string) => {
    for (let left = TRANSACTIONS; left > 0; left -= 1) {
      const id = 1 + Math.floor(Math.random() * ROWS);
      await writer.query(`begin; update ${table} set value = value + 1, taken_at = clock_timestamp() where id = ${id};
        select value from ${table} where id = ${id}; insert into ${history} (id, delta) values (${id}, 1); commit`);
    }
  };
  const bareUpdates = (writer: Client, table: string) =>
    writer.query(`do $$ declare k bigint; begin for i in 1..${TRANSACTIONS} loop
      k := 1 + floor(random() * ${ROWS});
      update ${table} set value = value + 1, taken_at = clock_timestamp() where id = k;
      commit; end loop; end $$`);

  const compare = async (write: (writer: Client, table: string) => Promise<unknown>) => {
    const rateOver = async (table: string) => {
      const elapsedMs = await timed(() => Promise.all(clients.map((writer) => write(writer, table))));
      return (CLIENTS * TRANSACTIONS * 1_000) / elapsedMs;
    };
    const rates = { attached: [] as number[], plain: [] as number[], ratio: [] as number[] };
    for (let round = -1; round < ROUNDS; round += 1) {
      const isEven = round % 2 === 0;
      const first = await rateOver(isEven ? attached.table : plain.table);
      const second = await rateOver(isEven ? plain.table : attached.table);
      // The first round warms up.
      if (round < 0) continue;
      const [withTrigger, without] = isEven ? [first, second] : [second, first];
      rates.attached.push(withTrigger);
      rates.plain.push(without);
      rates.ratio.push(withTrigger / without);
    }
    return {
      ratio: median(rates.ratio),
      text: `${Math.round(median(rates.attached))} transactions/s with the trigger, ${Math.round(median(rates.plain))} without`,
    };
  };
  const usual = await compare(simpleUpdates);
  const worst = await compare(bareUpdates);
  await Promise.all(clients.map((writer) => writer.end()));
  report(
    { bench: 'rostack-store/attach-trigger', ratio: usual.ratio, bar: 0.7, want: 'at least' },
    `${usual.text}, ${CLIENTS} connections; bare updates in the server: ${worst.text}, ratio ${worst.ratio.toFixed(2)}`,
  );
}
