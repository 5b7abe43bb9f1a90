import { Client } from 'pg';
import { attachTable } from 'rostack-store';
import { POSTGRES_URL } from 'test-support/postgres-url';
import { median, ratiosOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { appDatabase } from './support/app-database.ts';
import { timed } from './support/stores.ts';

/**
 * What the triggers cost an application, over an attached table and over its twin without triggers, in turns, 8 connections:
 * - transactions of `pgbench --builtin=simple-update`, one round trip each: a row is updated and read, and a line goes into a history
 *   that is not attached. Beside it, and without a bar, the worst case: loops inside of the server that only update one row and commit.
 * - statements that insert, update and delete a hundred rows, one transaction and one round trip each.
 */
const CLIENTS = 8;
const ROWS = 20_000;
const TRANSACTIONS = 100;
const ROUNDS = 16;
const MANY = 100;
const STATEMENTS = 25;

/** The writers' work on a table, in a round of its own number. */
type Write = (writer: Client, table: string, writerIndex: number, round: number) => Promise<unknown>;

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

  const simpleUpdates: Write = async (writer, table) => {
    for (let left = TRANSACTIONS; left > 0; left -= 1) {
      const id = 1 + Math.floor(Math.random() * ROWS);
      await writer.query(`begin; update ${table} set value = value + 1, taken_at = clock_timestamp() where id = ${id};
        select value from ${table} where id = ${id}; insert into ${history} (id, delta) values (${id}, 1); commit`);
    }
  };
  const bareUpdates: Write = (writer, table) =>
    writer.query(`do $$ declare k bigint; begin for i in 1..${TRANSACTIONS} loop
      k := 1 + floor(random() * ${ROWS});
      update ${table} set value = value + 1, taken_at = clock_timestamp() where id = k;
      commit; end loop; end $$`);
  const manyAtOnce =
    (statement: (table: string, first: number) => string): Write =>
    async (writer, table, index, round) => {
      const start = ROWS + 1 + (round * CLIENTS + index) * STATEMENTS * MANY;
      for (let at = 0; at < STATEMENTS; at += 1) await writer.query(statement(table, start + at * MANY));
    };
  const within = (first: number) => `id >= ${first} and id < ${first + MANY}`;
  const inserts = manyAtOnce(
    (table, first) => `insert into ${table} select i, 'station-' || i % 500, i * 1.5, i * 1.125, now(),
      'a note as long as such notes usually are, number ' || i, true from generate_series(${first}, ${first + MANY - 1}) i`,
  );
  const updates = manyAtOnce(
    (table, first) =>
      `update ${table} set value = value + 1, taken_at = clock_timestamp() where ${within(first)}`,
  );
  const deletes = manyAtOnce((table, first) => `delete from ${table} where ${within(first)}`);

  /** Compares several kinds of work, done one after the other in each round. */
  const compare = async (works: readonly Write[], transactions: number) => {
    const msOver = async (table: string, round: number) => {
      const times: number[] = [];
      for (const write of works) {
        times.push(
          await timed(() => Promise.all(clients.map((writer, index) => write(writer, table, index, round)))),
        );
      }
      return times;
    };
    const { withTrigger, without } = await runRounds(
      {
        withTrigger: (round) => msOver(attached.table, round + 1),
        without: (round) => msOver(plain.table, round + 1),
      },
      { rounds: ROUNDS, alternates: true },
    );
    const rateOf = (times: readonly number[]) => Math.round((CLIENTS * transactions * 1_000) / median(times));
    return works.map((_, index) => {
      const of = (rounds: readonly (readonly number[])[]) =>
        rounds.map((round) => round[index] ?? Number.NaN);
      const [ours, peer] = [of(withTrigger), of(without)];
      return {
        ratio: median(ratiosOf(peer, ours)),
        text: `${rateOf(ours)} transactions/s with the triggers, ${rateOf(peer)} without`,
      };
    });
  };
  const [usual] = await compare([simpleUpdates], TRANSACTIONS);
  const [worst] = await compare([bareUpdates], TRANSACTIONS);
  const many = await compare([inserts, updates, deletes], STATEMENTS);
  await Promise.all(clients.map((writer) => writer.end()));
  report('rostack-store/attach-trigger', {
    ratio: usual?.ratio ?? 0,
    bar: 0.5,
    want: 'at least',
    note: `${usual?.text}, ${CLIENTS} connections; bare updates in the server: ${worst?.text}, ratio ${worst?.ratio.toFixed(2)}`,
  });
  for (const [index, kind] of ['insert', 'update', 'delete'].entries()) {
    report(`rostack-store/attach-trigger-many-${kind}`, {
      ratio: many[index]?.ratio ?? 0,
      bar: 0.5,
      want: 'at least',
      note: `${kind} of ${MANY} rows in a statement: ${many[index]?.text}, ${CLIENTS} connections`,
    });
  }
}
