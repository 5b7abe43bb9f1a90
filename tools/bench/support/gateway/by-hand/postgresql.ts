import { createHash } from 'node:crypto';
import { Pool } from 'pg';
import { queryPostgres } from 'test-support/postgres';
import { COLUMNS, type HandDatabase, type Row } from './api.ts';

const MAX_CONNECTIONS = 10;

/** Makes and fills the table that `postgresByHand` serves. */
export async function fillByHand(schema: string, records: number): Promise<void> {
  await queryPostgres(`create table ${schema}.readings (id text primary key, station text not null, altitude float8 not null,
    name text not null, active boolean not null, observed_at text not null, note text not null)`);
  await queryPostgres(`insert into ${schema}.readings select 'reading-' || lpad(number::text, 7, '0'),
    'station-' || lpad((number / 400)::text, 4, '0'), (number::bigint * 7919) % ${records}, '관측소 ' || number, number % 2 = 0,
    '2026-08-14T03:00:00Z', repeat('x', 36) from generate_series(0, ${records - 1}) as number`);
  await queryPostgres(`create index on ${schema}.readings (altitude, id)`);
  await queryPostgres(`create index on ${schema}.readings (station, altitude, id)`);
  await queryPostgres(`vacuum analyze ${schema}.readings`);
}

/** Statements have names, so that each connection prepares them once. */
export function postgresByHand(url: string, schema: string): HandDatabase {
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    options: `-c search_path=${schema}`,
  });
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    let name = names.get(text);
    if (name === undefined) {
      name = createHash('sha1').update(text).digest('base64url');
      names.set(text, name);
    }
    return name;
  };
  const changed = COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`);
  const upsert = `insert into readings select * from json_populate_recordset(null::readings, $1)
    on conflict (id) do update set ${changed.join(', ')}`;
  return {
    parameter: (number) => `$${number}`,
    rows: async (text, values) =>
      (await pool.query<Row>({ name: nameOf(text), text, values: [...values] })).rows,
    put: async (records) =>
      void (await pool.query({ name: 'put', text: upsert, values: [JSON.stringify(records)] })),
  };
}
