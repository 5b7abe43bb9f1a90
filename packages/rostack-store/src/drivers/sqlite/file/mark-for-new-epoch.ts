import type Sqlite from 'better-sqlite3';

/** Marks the file so that opening it next starts a new epoch; switches it to rollback journal mode, so that the database is one file. */
export function markForNewEpoch(driver: typeof Sqlite, file: string): void {
  const copy = new driver(file);
  try {
    copy.pragma('journal_mode = delete');
    copy.prepare('update state set renew_epoch = 1').run();
  } finally {
    copy.close();
  }
}
