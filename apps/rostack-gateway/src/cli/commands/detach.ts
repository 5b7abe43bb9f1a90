import { detachTable } from 'rostack-store';
import { openConfiguredStore } from '../../configured-store.ts';
import { type CliIo, type RegisterCommand, writeLine } from '../command.ts';
import { type ConfigOptions, readConfigOption, withConfigOption } from '../config-option.ts';

/** `detach`: removes what `attach` has installed; resources keep their records. */
export const registerDetach: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('detach')
      .description('remove everything that attach has installed; the resources keep their records')
      .argument('<resources...>', 'also those that the configuration has no more'),
  ).action((resources: string[], options: ConfigOptions) => detach(resources, options, io));
};

async function detach(names: readonly string[], options: ConfigOptions, io: CliIo): Promise<void> {
  const config = await readConfigOption(options, io);
  const log = (line: string) => writeLine(io.stderr, line);
  const { store, close } = await openConfiguredStore(config, [], log);
  try {
    for (const name of names) {
      const { table, did } = await detachTable(store, name);
      for (const line of did) log(line);
      writeLine(
        io.stdout,
        table === undefined ? `${name}: no table is attached` : `${name}: ${table} is detached`,
      );
    }
  } finally {
    await close();
  }
}
