import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import Sqlite from 'better-sqlite3';
import { StoreOptionsError, StoreUnavailableError } from '../errors/index.ts';

/**
 * Copies an open database to a new file. The copy is marked, so that its first opening starts a new epoch: what was handed out
 * after the backup is never mistaken for what the restored database hands out.
 * @throws StoreOptionsError when the file exists
 * @throws StoreUnavailableError when the file cannot be written
 */
export async function backUpSqlite(source: Sqlite.Database, file: string): Promise<void> {
  if (existsSync(file)) throw new StoreOptionsError(`${file} exists: name a new file`);
  const partial = `${file}.partial`;
  try {
    await source.backup(partial);
    markForNewEpoch(partial);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(`cannot back up to ${file}: ${reason}`, { cause: error });
  }
}

/** In the rollback journal mode, so that the backup is one file. */
function markForNewEpoch(file: string): void {
  const copy = new Sqlite(file);
  try {
    copy.pragma('journal_mode = delete');
    copy.prepare('update state set renew_epoch = 1').run();
  } finally {
    copy.close();
  }
}
