import Sqlite from 'better-sqlite3';

/** Whether SQLite has refused something because another connection has the file locked. */
export function isLocked(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
