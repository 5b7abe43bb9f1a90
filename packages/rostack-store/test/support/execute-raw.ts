import Sqlite from 'better-sqlite3';
import { queryPostgres } from 'test-support/postgres';
import type { TestDatabase } from './databases.ts';

/** Runs a statement behind the store's back; tables are named without their schema. */
export async function executeRaw(
  { url, schema }: TestDatabase,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  if (!url.startsWith('sqlite:')) {
    return queryPostgres(
      statement.replaceAll(
        /\b(state|head|token|note|attachment|quarantine|rate|record_1|past_1|log_1)\b/g,
        `${schema}.$1`,
      ),
    );
  }
  const file = new Sqlite(url.slice('sqlite:'.length));
  try {
    const prepared = file.prepare<unknown[], Record<string, unknown>>(statement);
    if (prepared.reader) return prepared.all();
    prepared.run();
    return [];
  } finally {
    file.close();
  }
}
