import type { Database, Work } from '../../drivers/database.ts';
import { PostgresDatabase } from '../../drivers/postgres/database.ts';
import type { Installer } from '../attachment/installer.ts';
import { postgresInstaller } from '../postgres/installer.ts';
import { sqliteInstaller } from '../sqlite/installer.ts';
import { runWithTableLock, type TableLockOptions } from './run-with-table-lock.ts';

export function installerFor(database: Database): Installer {
  return database instanceof PostgresDatabase ? postgresInstaller : sqliteInstaller;
}

/** Runs an installer's work in one transaction, once the table's lock is free. */
export function withInstaller<T>(
  database: Database,
  options: TableLockOptions,
  work: (installer: Installer) => Work<T>,
): Promise<T> {
  const installer = installerFor(database);
  return database instanceof PostgresDatabase
    ? runWithTableLock(database, options, () => work(installer))
    : database.write(() => work(installer));
}
