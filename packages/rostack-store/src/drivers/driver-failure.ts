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

/** An error that a PostgreSQL server answered with; `code` is its SQLSTATE. */
export interface PostgresFailure extends Error {
  readonly code?: string | undefined;
  readonly severity: string;
}

/** Only answers of a server have a severity; a lost connection has none. */
export function isPostgresFailure(error: unknown): error is PostgresFailure {
  return error instanceof Error && 'severity' in error && typeof error.severity === 'string';
}
