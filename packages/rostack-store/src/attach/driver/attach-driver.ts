import type { Database, Work } from '../../drivers/database.ts';
import type { Installer } from './installer.ts';
import type { TableLockOptions } from './table-lock-options.ts';
import type { TableReader } from './table-reader.ts';

/** How to attach the tables of one kind of database, and how to read their rows. */
export interface AttachDriver {
  readonly installer: Installer;
  readonly reader: TableReader;
  /**
   * Runs work that installs objects in one transaction, once it has the table's lock.
   * @throws AttachRefusedError if the role lacks a privilege
   * @throws StoreUnavailableError if the database cannot be reached, or the lock was not free in time
   */
  readonly withTableLock: <T>(
    database: Database,
    options: TableLockOptions,
    work: () => Work<T>,
  ) => Promise<T>;
}
