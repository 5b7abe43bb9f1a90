import { once } from 'node:events';
import { createGateway } from '../gateway/create-gateway.ts';
import { configSecrets, createLogger } from '../observe/logger.ts';
import {
  type CliIo,
  type ConfigOptions,
  type RegisterCommand,
  readConfigOption,
  withConfigOption,
  writeLine,
} from './command.ts';

/** `start`: serves until SIGINT or SIGTERM, then drains. */
export const registerStart: RegisterCommand = (program, io) => {
  withConfigOption(program.command('start').description('serve until SIGINT or SIGTERM')).action(
    (options: ConfigOptions) => start(options, io),
  );
};

async function start(options: ConfigOptions, io: CliIo): Promise<void> {
  const config = await readConfigOption(options, io);
  const logger = createLogger({
    ...config.log,
    destination: io.stderr,
    secrets: configSecrets(config),
  });
  const gateway = await createGateway(config, { logger });
  const stopReloading = io.onReload(() => void gateway.reloadCertificate());
  writeLine(io.stdout, `rostack-gateway: ${gateway.url} on port ${gateway.port}`);
  if (gateway.adminPort !== undefined) writeLine(io.stdout, `admin listener on port ${gateway.adminPort}`);
  logger.info({ url: gateway.url, port: gateway.port, adminPort: gateway.adminPort }, 'serving');
  if (!io.stop.aborted) await once(io.stop, 'abort');
  stopReloading();
  logger.info({ drainTimeMs: config.shutdown.drainTimeMs }, 'draining');
  await gateway.close();
  logger.info('ended');
}
