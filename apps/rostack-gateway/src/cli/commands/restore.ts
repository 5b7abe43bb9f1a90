import { renameSync, statSync } from 'node:fs';
import { restoreSqlite } from 'rostack-store';
import { holdAlone, sqliteFileOf } from '../../backup/run-lock.ts';
import { type CliIo, type RegisterCommand, writeLine } from '../command.ts';
import { type ConfigOptions, readConfigOption, withConfigOption } from '../config-option.ts';
import { CliFailure, UsageError } from '../exit-code.ts';

const COMPANIONS = ['', '-wal', '-shm'];

interface RestoreOptions extends ConfigOptions {
  readonly moveAside: boolean;
}

/** `restore`: puts a backup where the SQLite database is to be. */
export const registerRestore: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('restore <file>')
      .description(
        'put a backup where the SQLite database is to be; followers take a new snapshot afterwards',
      )
      .option('--move-aside', 'keep the database that stands there under another name', false),
  ).action((file: string, options: RestoreOptions) => restore(file, options, io));
};

async function restore(backup: string, options: RestoreOptions, io: CliIo): Promise<void> {
  const config = await readConfigOption(options, io);
  const database = sqliteFileOf(config.store.url);
  if (database === undefined)
    throw new UsageError('restore puts SQLite files in place: use pg_restore for PostgreSQL');
  using _alone = holdAlone(database);
  const isThere = statSync(database, { throwIfNoEntry: false }) !== undefined;
  if (isThere && !options.moveAside) {
    throw new CliFailure(`${database} exists: move it away, or add --move-aside`);
  }
  const aside = isThere ? moveAside(database, io) : undefined;
  try {
    await restoreSqlite(backup, database);
  } catch (error) {
    if (aside !== undefined) rename(aside, database);
    throw error;
  }
  writeLine(io.stdout, `${database} is restored; cursors handed out so far are void`);
  if (aside !== undefined) writeLine(io.stdout, `the database before it is ${aside}`);
}

function moveAside(database: string, io: CliIo): string {
  const aside = `${database}.${new Date(io.nowMs()).toISOString().replaceAll(/[:.]/g, '')}`;
  rename(database, aside);
  return aside;
}

/** A database with what belongs to it. */
function rename(from: string, to: string): void {
  for (const companion of COMPANIONS) {
    if (statSync(`${from}${companion}`, { throwIfNoEntry: false }) !== undefined) {
      renameSync(`${from}${companion}`, `${to}${companion}`);
    }
  }
}
