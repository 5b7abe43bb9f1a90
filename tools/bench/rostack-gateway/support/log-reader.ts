/** The bare peer of a catch-up: reads the log and what the events carry, one keyset statement per batch, and keeps nothing. */
import Database from 'better-sqlite3';
import { Client } from 'pg';
import type { BenchDatabase } from '../../support/gateway/databases.ts';
import { measureReading } from './measure-reading.ts';

const BATCH = 256;

interface Row {
  /** `pg` gives a bigint as text. */
  readonly position: number | string;
}

const { database, after } = JSON.parse(process.argv[2] ?? '') as {
  readonly database: BenchDatabase;
  readonly after: number;
};

const statement = (schema: string, position: string): string =>
  `select l.position, l.id, l.event_type, l.transition, l.version, l.occurred_at_ms,
    coalesce(r.body, (select a.body from ${schema}.past_1 as a
      where a.id = l.id and a.to_position > l.position order by a.to_position limit 1)) as body
  from ${schema}.log_1 as l left join ${schema}.record_1 as r on r.id = l.id and r.position = l.position
  where l.position > ${position} order by l.position limit ${BATCH}`;

async function readAll(
  next: (position: number) => readonly Row[] | Promise<readonly Row[]>,
): Promise<number> {
  let rows = 0;
  for (let position = after; ; ) {
    const batch = await next(position);
    const last = batch.at(-1);
    if (last === undefined) return rows;
    rows += batch.length;
    position = Number(last.position);
  }
}

if (database.url.startsWith('sqlite:')) {
  const file = new Database(database.url.slice('sqlite:'.length), { readonly: true });
  const query = file.prepare<[number], Row>(statement('main', '?'));
  await measureReading(() => readAll((position) => query.all(position)));
  file.close();
} else {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const text = statement(database.schema, '$1');
  await measureReading(() =>
    readAll(async (position) => {
      const { rows } = await client.query<Row>({ name: 'batch', text, values: [position] });
      return rows;
    }),
  );
  await client.end();
}
