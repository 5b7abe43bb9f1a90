/** An error of SQLite itself, as better-sqlite3 tells it; `code` is such as `SQLITE_BUSY`. */
export interface SqliteFailure extends Error {
  readonly code: string;
}

/** Known by its name: it may come from a copy of the driver that is not this package's own, or from another thread. */
export function isSqliteFailure(error: unknown): error is SqliteFailure {
  return error instanceof Error && error.name === 'SqliteError';
}

/** The error that a thread reported. */
export function sqliteFailure(message: string, code: string): SqliteFailure {
  return Object.assign(new Error(message), { name: 'SqliteError', code });
}
