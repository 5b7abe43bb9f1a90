import type { DatabaseSync } from 'node:sqlite';

/** Runs an action in one transaction, which is undone if it throws. @param begin BEGIN for one that only reads */
export function transact<R>(
  database: DatabaseSync,
  action: () => R,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE' = 'BEGIN IMMEDIATE',
): R {
  database.exec(begin);
  try {
    const result = action();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
