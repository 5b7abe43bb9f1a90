import { type RegisterCommand, writeLine } from '../command.ts';
import { type ConfigOptions, readConfigOption, withConfigOption } from '../config-option.ts';

/** `check-config`: says what is wrong with a configuration, without starting. */
export const registerCheckConfig: RegisterCommand = (program, io) => {
  withConfigOption(
    program.command('check-config').description('say what is wrong with the configuration, without starting'),
  ).action(async (options: ConfigOptions) => {
    const { identity, resources } = await readConfigOption(options, io);
    const names = Object.keys(resources).join(', ');
    writeLine(io.stdout, `${options.config}: ok; ${identity.id} ${identity.apiVersion} with ${names}`);
  });
};
