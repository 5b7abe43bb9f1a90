import type { Database, Work } from '../../drivers/database.ts';
import type { Installer } from './installer.ts';
import type { TableLockOptions } from './table-lock-options.ts';
import type { TableReader } from './table-reader.ts';

/** How the tables of one kind of database are attached, and their rows read. */
export interface AttachDriver {
  readonly installer: Installer;
  readonly reader: TableReader;
  /**
   * Runs work that installs something in one transaction, once the table's lock is free.
   * @throws AttachRefusedError if the role lacks a privilege
   * @throws StoreUnavailableError if the database cannot be reached, or the lock could not be had in time
   */
  readonly withTableLock: <T>(
    database: Database,
    options: TableLockOptions,
    work: () => Work<T>,
  ) => Promise<T>;
}
