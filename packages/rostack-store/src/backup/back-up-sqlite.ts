import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type Sqlite from 'better-sqlite3';
import { loadSqlite } from '../database/load-driver.ts';
import { StoreOptionsError, StoreUnavailableError } from '../errors/index.ts';
import { markForNewEpoch } from './mark-for-new-epoch.ts';

/**
 * Copies an open database to a new file. The copy is marked, so that its first opening starts a new epoch: what was handed out
 * after the backup is never mistaken for what the restored database hands out.
 * @throws StoreOptionsError when the file exists
 * @throws StoreUnavailableError when the file cannot be written
 */
export async function backUpSqlite(source: Sqlite.Database, file: string): Promise<void> {
  if (existsSync(file)) throw new StoreOptionsError(`${file} exists: name a new file`);
  const driver = await loadSqlite();
  const partial = `${file}.partial`;
  try {
    await copySnapshot(driver, source, partial);
    markForNewEpoch(driver, partial);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(`cannot back up to ${file}: ${reason}`, { cause: error });
  }
}

/** A copy starts again whenever another process writes, unless its own connection reads from one snapshot all the time. */
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
