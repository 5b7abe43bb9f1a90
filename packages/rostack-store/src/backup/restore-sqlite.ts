import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type Sqlite from 'better-sqlite3';
import { aString } from 'rostack-core';
import { loadSqlite } from '../drivers/load-driver.ts';
import { createPrivate } from '../drivers/sqlite/file/create-private.ts';
import { markForNewEpoch } from '../drivers/sqlite/file/mark-for-new-epoch.ts';
import { SchemaTooNewError, StoreOptionsError, StoreUnavailableError } from '../errors/index.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import { checkOption } from '../store/options/check-option.ts';

/** Suffixes of further files that belong to a SQLite database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/**
 * Puts a backup in the place of a SQLite database. It is checked, copied, and marked so that opening it for the first time starts a new
 * epoch. No process may have the database open.
 * @param backup a file that `backUp` made, or a complete copy of a database that nobody had open
 * @param file a path at which there is no file yet
 * @throws StoreOptionsError if the backup is not a complete store, or the file already exists
 * @throws SchemaTooNewError `schema_too_new` if a newer release has written the backup
 * @throws StoreUnavailableError if the file cannot be written
 * @throws DriverMissingError `driver_missing` without better-sqlite3
 */
export async function restoreSqlite(backup: string, file: string): Promise<void> {
  checkOption(aString, backup, 'backup');
  checkOption(aString, file, 'file');
  const present = ['', ...COMPANIONS].map((suffix) => `${file}${suffix}`).filter((path) => existsSync(path));
  if (present.length > 0) {
    const what = present.length === 1 ? 'exists: move it' : 'exist: move them';
    throw new StoreOptionsError(`${present.join(', ')} already ${what} away first`);
  }
  const driver = await loadSqlite();
  checkBackup(driver, backup);
  const partial = `${file}.partial`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await rm(partial, { force: true });
    createPrivate(partial);
    // `copyFile` would give it the mode of the backup, which others may be able to read.
    await pipeline(createReadStream(backup), createWriteStream(partial, { flags: 'r+' }));
    markForNewEpoch(driver, partial);
    await sync(partial);
    await rename(partial, file);
    await sync(dirname(file));
  } catch (error) {
    await rm(partial, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(`cannot restore to ${file}: ${reason}`, { cause: error });
  }
}

function checkBackup(driver: typeof Sqlite, backup: string): void {
  const companion = COMPANIONS.find((suffix) => existsSync(`${backup}${suffix}`));
  if (companion !== undefined) {
    throw new StoreOptionsError(
      `${backup} is in use, or was not closed: ${backup}${companion} is next to it`,
    );
  }
  const { version, fault } = readBackup(driver, backup);
  if (fault !== undefined) throw new StoreOptionsError(`${backup} is not a complete backup: ${fault}`);
  if (version > MIGRATIONS.length) throw new SchemaTooNewError(version, MIGRATIONS.length);
}

function readBackup(
  driver: typeof Sqlite,
  backup: string,
): { readonly version: number; readonly fault: string | undefined } {
  let database: Sqlite.Database | undefined;
  try {
    database = new driver(backup, { readonly: true, fileMustExist: true });
    const check = database.pragma('integrity_check', { simple: true });
    const version = database.prepare('select schema_version from state').pluck().get();
    return { version: Number(version), fault: check === 'ok' ? undefined : String(check) };
  } catch (error) {
    return { version: 0, fault: error instanceof Error ? error.message : String(error) };
  } finally {
    database?.close();
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
