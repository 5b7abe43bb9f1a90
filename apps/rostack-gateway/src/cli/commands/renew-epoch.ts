import { openConfiguredStore } from '../../configured-store.ts';
import { type CliIo, type RegisterCommand, writeLine } from '../command.ts';
import { type ConfigOptions, readConfigOption, withConfigOption } from '../config-option.ts';

/** `renew-epoch`: voids every cursor handed out so far. */
export const registerRenewEpoch: RegisterCommand = (program, io) => {
  withConfigOption(
    program
      .command('renew-epoch')
      .description(
        'void all cursors handed out so far, so that every follower takes a new snapshot; gateways may run',
      ),
  ).action((options: ConfigOptions) => renewEpoch(options, io));
};

async function renewEpoch(options: ConfigOptions, io: CliIo): Promise<void> {
  const config = await readConfigOption(options, io);
  const { store, close } = await openConfiguredStore(config, [], (line) => writeLine(io.stderr, line));
  try {
    const before = store.epoch;
    const epoch = await store.renewEpoch();
    writeLine(io.stdout, `the epoch is ${epoch}, and was ${before}`);
  } finally {
    await close();
  }
  writeLine(
    io.stdout,
    'cursors handed out so far are void: followers take a new snapshot; records and their versions stay as they are',
  );
}
