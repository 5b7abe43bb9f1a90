import { once } from 'node:events';
import { createGateway } from '../../gateway.ts';
import { type CliIo, type RegisterCommand, writeLine } from '../command.ts';
import { type ConfigOptions, readConfigOption, withConfigOption } from '../config-option.ts';

/** `start`: serves until SIGINT or SIGTERM, then drains. */
export const registerStart: RegisterCommand = (program, io) => {
  withConfigOption(program.command('start').description('serve until SIGINT or SIGTERM')).action(
    (options: ConfigOptions) => start(options, io),
  );
};

async function start(options: ConfigOptions, io: CliIo): Promise<void> {
  const config = await readConfigOption(options, io);
  const log = (line: string) => writeLine(io.stderr, line);
  const gateway = await createGateway(config, { log });
  const stopReloading = io.onReload(() => void gateway.reloadCertificate());
  writeLine(io.stdout, `rostack-gateway: ${gateway.url} on port ${gateway.port}`);
  if (!io.stop.aborted) await once(io.stop, 'abort');
  stopReloading();
  await gateway.close();
}
