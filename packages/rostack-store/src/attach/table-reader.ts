import type { QueryResultRow } from 'pg';
import type { PostgresDatabase } from '../database/postgres-database.ts';

/** The texts of columns depend on the first two; with the last one, a policy that hides rows is an error. */
const SETTINGS = ['extra_float_digits = 1', `intervalstyle = 'iso_8601'`, 'row_security = off'];

/** Reads of a leader between its batches. Each query is a transaction of its own. */
export class TableReader {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  query<T extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    return this.#database.query<T>({ kind: 'once', sql: text, parameters: values }, SETTINGS);
  }
}
