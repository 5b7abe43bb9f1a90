import type Sqlite from 'better-sqlite3';
import type * as Postgres from 'pg';
import { DriverMissingError } from '../errors/index.ts';

/** Loads the SQLite driver, which applications that use it install. @throws DriverMissingError */
export async function loadSqlite(): Promise<typeof Sqlite> {
  const { default: driver } = await import('better-sqlite3').catch(missing('SQLite', 'better-sqlite3'));
  return driver;
}

/** Loads the PostgreSQL driver, which applications that use it install. @throws DriverMissingError */
export async function loadPostgres(): Promise<typeof Postgres> {
  return import('pg').catch(missing('PostgreSQL', 'pg'));
}

/** A driver that is installed but does not load, such as a binary for another machine, fails with its own error. */
function missing(database: string, driver: string): (cause: unknown) => never {
  return (cause) => {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes(`'${driver}'`)) throw cause;
    throw new DriverMissingError(database, driver, { cause });
  };
}
