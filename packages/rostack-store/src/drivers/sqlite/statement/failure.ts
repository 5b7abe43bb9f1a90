/** An error of SQLite itself, in the form of better-sqlite3; `code` is a code such as `SQLITE_BUSY`. */
export interface SqliteFailure extends Error {
  readonly code: string;
}

/** Recognized by its name: it may come from another copy of the driver than this package's own, or from another thread. */
export function isSqliteFailure(error: unknown): error is SqliteFailure {
  return error instanceof Error && error.name === 'SqliteError';
}

/** Restores an error that a thread reported. */
export function sqliteFailure(message: string, code: string): SqliteFailure {
  return Object.assign(new Error(message), { name: 'SqliteError', code });
}
