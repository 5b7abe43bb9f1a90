import { Client, DatabaseError } from 'pg';
import { POSTGRES_URL } from 'test-support/postgres-url';
import type { AppTable } from './observations.ts';

/** What the writers did in all. */
export interface WriterCounts {
  commits: number;
  rollbacks: number;
  conflicts: number;
  truncations: number;
}

const KEYS = 80;
const ISOLATIONS = ['read committed', 'read committed', 'read committed', 'repeatable read', 'serializable'];

/** After so many commits of all writers the rows of the beginning were copied. */
const TRUNCATE_FROM = 300;

/** Four writers at a time, until they have committed so many transactions. */
export async function writeSome(app: AppTable, random: () => number, commits: number): Promise<void> {
  const counts: WriterCounts = { commits: 0, rollbacks: 0, conflicts: 0, truncations: 0 };
  const isEnough = () => counts.commits >= commits;
  await Promise.all(Array.from({ length: 4 }, () => runAppWriter(app, isEnough, counts, random)));
}

/** Random transactions of an application, until it is enough; truncations come later. */
export async function runAppWriter(
  { schema, table }: AppTable,
  isEnough: () => boolean,
  counts: WriterCounts,
  random: () => number,
): Promise<void> {
  const below = (limit: number) => Math.floor(random() * limit);
  const client = new Client({ connectionString: POSTGRES_URL });
  await client.connect();
  // Each writer's settings differ from the mover's, as an application's may.
  await client.query(
    `set deadlock_timeout = '20ms'; set timezone = 'Asia/Seoul'; set datestyle = 'SQL, DMY'; set extra_float_digits = -10`,
  );
  try {
    while (!isEnough()) {
      const mayTruncate = counts.commits >= TRUNCATE_FROM;
      await runTransaction(client, counts, below, () => randomStatement(schema, table, mayTruncate, below));
    }
  } finally {
    await client.end();
  }
}

async function runTransaction(
  client: Client,
  counts: WriterCounts,
  below: (limit: number) => number,
  nextStatement: () => string,
) {
  const isolation = ISOLATIONS[below(ISOLATIONS.length)] ?? 'read committed';
  await client.query(`begin isolation level ${isolation}`);
  try {
    for (let left = 1 + below(5); left > 0; left -= 1) {
      const isNested = below(3) === 0;
      if (isNested) await client.query('savepoint inner_one');
      const statement = nextStatement();
      await client.query(statement);
      if (statement.startsWith('truncate')) counts.truncations += 1;
      if (isNested && below(2) === 0) await client.query('rollback to savepoint inner_one');
    }
    if (below(6) === 0) {
      await client.query('rollback');
      counts.rollbacks += 1;
    } else {
      await client.query('commit');
      counts.commits += 1;
    }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await client.query('rollback');
    counts.conflicts += 1;
  }
}

function randomStatement(
  schema: string,
  table: string,
  mayTruncate: boolean,
  below: (limit: number) => number,
): string {
  const next = `nextval('${schema}.revision')`;
  const id = 1 + below(KEYS);
  const height = (below(1e6) / 1_000).toString();
  switch (below(16)) {
    case 0:
    case 1:
      return `insert into ${table} (id, station, height, amount) values (${id}, 's${below(9)}', ${height}, ${below(1e6)}.125)
        on conflict (id) do update set height = excluded.height, rev = ${next}`;
    case 2:
      return `insert into ${table} (id, station) select i, 'many' from generate_series(${id}, ${id + below(20)}) i on conflict do nothing`;
    case 3:
    case 4:
      return `update ${table} set height = ${height}, rev = ${next} where id = ${id}`;
    case 5:
      return `update ${table} set station = station || '+', rev = ${next} where id % 7 = ${below(7)} and id < 5000 and length(station) < 90`;
    case 6:
      return `update ${table} set station = 'cascade', rev = ${next} where id in (${id}, ${id + 1}, ${id + 2})`;
    case 7:
      return `update ${table} set id = ${1 + below(KEYS)}, rev = ${next} where id = ${id}`;
    case 8:
      // Every key moves on to one that another row has just left.
      return `update ${table} t set id = t.id + 1000, rev = ${next} from (select id from ${table} where id < ${id} order by id desc limit 4) f where f.id = t.id`;
    case 9:
      return `delete from ${table} where id = ${id}`;
    case 10:
      return `delete from ${table} where id < 5000 and (id > ${KEYS} or id % 11 = ${below(11)})`;
    case 11:
      return `update ${table} set id = id + 2000, station = 'cascade', rev = ${next} where id in (${id}, ${id + 1})`;
    case 12:
      return `merge into ${table} t using (select i from generate_series(${id}, ${id + 9}) i) s on t.id = s.i when matched and s.i % 3 = 0 then delete
        when matched then update set height = ${height}, rev = ${next} when not matched then insert (id, station) values (s.i, 'merged')`;
    case 13:
      return `with gone as (delete from ${table} where id between ${id} and ${id + 5} returning *)
        insert into ${table} (id, station, rev) select id, 'back', ${next} from gone where id % 4 > 0`;
    case 14:
      return `update ${table} set height = ${height}, rev = ${next} where id between ${10_000 + id * 100} and ${10_450 + id * 100}`;
    default:
      return mayTruncate && below(30) === 0
        ? `truncate ${table}`
        : `update ${table} set secret = 'nobody sees this' where id = ${id}`;
  }
}
