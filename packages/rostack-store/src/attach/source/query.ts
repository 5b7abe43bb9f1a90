import { run, type Work } from '../../drivers/database.ts';
import type { Row } from '../../drivers/dialect/query.ts';
import { quoteName } from '../../drivers/dialect/sql.ts';

/** Runs a statement with the parameters `$1`, `$2` ... inside a unit of work, on either database. */
export function query<T extends object = Row>(
  text: string,
  parameters: readonly unknown[] = [],
): Work<readonly T[]> {
  return run<T>({ kind: 'once', sql: text, parameters, isNumbered: true });
}

/** SQL: a table's full name; both databases quote names in the same way, and SQLite has the schema `main`. */
export function qualified(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}
