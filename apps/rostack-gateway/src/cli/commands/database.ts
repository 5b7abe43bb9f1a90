import { renameSync, statSync } from 'node:fs';
import { restoreSqlite } from 'rostack-store';
import { holdAlone } from '../../serving/store/run-lock.ts';
import { sqliteFileOf } from '../../text/sqlite-url.ts';
import {
  CliFailure,
  type CliIo,
  type ConfigOptions,
  openStore,
  type RegisterCommand,
  readConfigOption,
  UsageError,
  withConfigOption,
  writeLine,
} from './command.ts';

/** Suffixes of the files of a SQLite database. */
const DATABASE_FILES = ['', '-wal', '-shm'];

interface RestoreOptions extends ConfigOptions {
  readonly moveAside: boolean;
}

const exists = (file: string) => statSync(file, { throwIfNoEntry: false }) !== undefined;

/** `backup`: copies the SQLite database, even while gateways run on it. */
export const registerBackup: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('backup <file>')
      .description('copy the SQLite database to a new file; gateways may run on it meanwhile'),
  ).action((file: string, options: ConfigOptions) => backUp(file, options, io));
};

async function backUp(file: string, options: ConfigOptions, io: CliIo): Promise<void> {
  const config = await readConfigOption(options, io);
  const database = sqliteFileOf(config.store.url);
  if (database === undefined) throw new UsageError('backup copies SQLite files: use pg_dump for PostgreSQL');
  if (!exists(database)) throw new UsageError(`${database} does not exist: there is nothing to back up`);
  await using opened = await openStore(config, io);
  await opened.store.backUp(file);
  writeLine(io.stdout, `${file}: ${statSync(file).size} bytes`);
}

/** `restore`: replaces the SQLite database with a backup. */
export const registerRestore: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('restore <file>')
      .description('replace the SQLite database with a backup; followers take a new snapshot afterwards')
      .option('--move-aside', 'keep the present database under another name', false),
  ).action((file: string, options: RestoreOptions) => restore(file, options, io));
};

async function restore(backup: string, options: RestoreOptions, io: CliIo): Promise<void> {
  const config = await readConfigOption(options, io);
  const database = sqliteFileOf(config.store.url);
  if (database === undefined)
    throw new UsageError('restore is for SQLite files: use pg_restore for PostgreSQL');
  using _alone = holdAlone(database);
  const isThere = exists(database);
  if (isThere && !options.moveAside) {
    throw new CliFailure(`${database} exists: move it away, or add --move-aside`);
  }
  const aside = `${database}.${new Date(io.nowMs()).toISOString().replaceAll(/[:.]/g, '')}`;
  if (isThere) rename(database, aside);
  try {
    await restoreSqlite(backup, database);
  } catch (error) {
    if (isThere) rename(aside, database);
    throw error;
  }
  writeLine(io.stdout, `${database} is restored; cursors handed out so far are void`);
  if (isThere) writeLine(io.stdout, `the previous database is now ${aside}`);
}

function rename(from: string, to: string): void {
  for (const suffix of DATABASE_FILES) {
    if (exists(`${from}${suffix}`)) renameSync(`${from}${suffix}`, `${to}${suffix}`);
  }
}

/** `renew-epoch`: voids every cursor handed out so far. */
export const registerRenewEpoch: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('renew-epoch')
      .description(
        'void all cursors handed out so far, so that every follower takes a new snapshot; gateways may run',
      ),
  ).action(async (options: ConfigOptions) => {
    await using opened = await openStore(await readConfigOption(options, io), io);
    const before = opened.store.epoch;
    const epoch = await opened.store.renewEpoch();
    writeLine(io.stdout, `the epoch is ${epoch}, and was ${before}`);
    writeLine(
      io.stdout,
      'cursors handed out so far are void: followers take a new snapshot; records and their versions stay as they are',
    );
  });
};
