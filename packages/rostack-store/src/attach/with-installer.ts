import type { Database, Work } from '../database/database.ts';
import { PostgresDatabase } from '../database/postgres-database.ts';
import type { Installer } from './installer.ts';
import { postgresInstaller } from './postgres-installer.ts';
import { runWithTableLock, type TableLockOptions } from './run-with-table-lock.ts';
import { sqliteInstaller } from './sqlite-installer.ts';

/** Runs an installer's work in one transaction, once the table's lock is free. */
export function withInstaller<T>(
  database: Database,
  options: TableLockOptions,
  work: (installer: Installer) => Work<T>,
): Promise<T> {
  return database instanceof PostgresDatabase
    ? runWithTableLock(database, options, () => work(postgresInstaller))
    : database.write(() => work(sqliteInstaller));
}
