import Database, { type Statement } from 'better-sqlite3';
import { reading } from '../readings.ts';
import { COLUMNS, type HandDatabase, type Row } from './api.ts';

const MAX_STATEMENTS = 1_000;

const rowOf = (record: object): unknown[] =>
  Object.values(record).map((value: unknown) => (typeof value === 'boolean' ? Number(value) : value));

/** @param file which is filled first */
export function sqliteByHand(file: string, records: number): HandDatabase {
  const database = new Database(file);
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = normal');
  database.exec(`create table readings (id text primary key, station text not null, altitude real not null, name text not null,
    active integer not null, observed_at text not null, note text not null) without rowid`);
  const insert = database.prepare(
    `insert or replace into readings values (${COLUMNS.map(() => '?').join(', ')})`,
  );
  const put = database.transaction((changed: readonly object[]) => {
    for (const record of changed) insert.run(rowOf(record));
  });
  put(Array.from({ length: records }, (_, number) => reading(number, records)));
  database.exec(`create index by_altitude on readings (altitude, id);
    create index by_station on readings (station, altitude, id); analyze`);

  const statements = new Map<string, Statement<unknown[], Row>>();
  const prepare = (text: string): Statement<unknown[], Row> => {
    let statement = statements.get(text);
    if (statement === undefined) {
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statement = database.prepare<unknown[], Row>(text);
      statements.set(text, statement);
    }
    return statement;
  };
  return {
    parameter: () => '?',
    rows: (text, values) =>
      prepare(text)
        .all(...values)
        .map((row) => ({ ...row, active: row['active'] === 1 })),
    put,
  };
}
