import { escapeIdentifier } from 'pg';
import { type Row, run, type Work } from '../database/database.ts';

/** Runs a statement of PostgreSQL inside a unit of work. */
export function query<T extends object = Row>(
  text: string,
  parameters: readonly unknown[] = [],
): Work<readonly T[]> {
  return run<T>({ kind: 'once', sql: text, parameters });
}

export function qualified(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}
