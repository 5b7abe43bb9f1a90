import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type Sqlite from 'better-sqlite3';
import { StoreOptionsError, StoreUnavailableError } from '../../../errors/index.ts';
import { loadSqlite } from '../../load-driver.ts';
import { createPrivate } from './create-private.ts';
import { markForNewEpoch } from './mark-for-new-epoch.ts';

/**
 * Copies an open database to a new file. The copy is marked so that opening it for the first time starts a new epoch: positions handed out
 * after the backup are never mistaken for those of the restored database.
 * @throws StoreOptionsError if the file exists
 * @throws StoreUnavailableError if the file cannot be written
 */
export async function backUp(source: Sqlite.Database, file: string): Promise<void> {
  if (existsSync(file)) throw new StoreOptionsError(`${file} exists: name a new file`);
  const driver = await loadSqlite();
  const partial = `${file}.partial`;
  try {
    await rm(partial, { force: true });
    createPrivate(partial);
    await copySnapshot(driver, source, partial);
    markForNewEpoch(driver, partial);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(`cannot back up to ${file}: ${reason}`, { cause: error });
  }
}

/** Copies from one snapshot through its own connection; otherwise writes of other processes would restart the copy. */
async function copySnapshot(driver: typeof Sqlite, source: Sqlite.Database, file: string): Promise<void> {
  if (source.memory) {
    await source.backup(file);
    return;
  }
  const reader = new driver(source.name, { readonly: true });
  try {
    reader.exec('begin');
    reader.prepare('select count(*) from state').get();
    await reader.backup(file);
    reader.exec('commit');
  } finally {
    reader.close();
  }
}
