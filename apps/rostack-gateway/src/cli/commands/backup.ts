import { statSync } from 'node:fs';
import { sqliteFileOf } from '../../backup/run-lock.ts';
import { openConfiguredStore } from '../../configured-store.ts';
import { type CliIo, type RegisterCommand, writeLine } from '../command.ts';
import { type ConfigOptions, readConfigOption, withConfigOption } from '../config-option.ts';
import { UsageError } from '../exit-code.ts';

/** `backup`: copies the SQLite database while gateways run on it. */
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
  if (statSync(database, { throwIfNoEntry: false }) === undefined) {
    throw new UsageError(`${database} does not exist: there is nothing to back up`);
  }
  const { store, close } = await openConfiguredStore(config, [], (line) => writeLine(io.stderr, line));
  try {
    await store.backUp(file);
  } finally {
    await close();
  }
  writeLine(io.stdout, `${file}: ${statSync(file).size} bytes`);
}
