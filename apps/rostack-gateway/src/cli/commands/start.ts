import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { serveAsWorker } from '../../cluster/workers/serve-as-worker.ts';
import { type Served, Supervisor } from '../../cluster/workers/supervisor.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { configSecrets, createLogger } from '../../observe/log/logger.ts';
import { createGateway } from '../../serving/gateway/create-gateway.ts';
import type { Gateway } from '../../serving/gateway/gateway.ts';
import { errorMessage } from '../../text/error-message.ts';
import {
  type CliIo,
  type ConfigOptions,
  type RegisterCommand,
  readServedConfig,
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
  const config = await readServedConfig(options, io);
  const count = workersOf(config);
  if (io.supervisor !== undefined)
    await serveAsWorker(config, io.supervisor, { logger: loggerOf(config, io), ...io });
  else if (count > 1) await supervise(config, count, options, io);
  else await serveAlone(config, io, (gateway) => announce(gateway, io));
}

/** Serves in this process until it is asked to stop. @param onServing called once requests are answered */
export async function serveAlone(
  config: GatewayConfig,
  io: CliIo,
  onServing: (served: Gateway) => void,
): Promise<void> {
  const logger = loggerOf(config, io);
  const gateway = await createGateway(config, { logger });
  const stopReloading = io.onReload(() => void gateway.reloadCertificate());
  onServing(gateway);
  logger.info({ url: gateway.url, port: gateway.port, adminPort: gateway.adminPort }, 'serving');
  await stopped(io);
  stopReloading();
  logger.info({ drainTimeMs: config.shutdown.drainTimeMs }, 'draining');
  await gateway.close();
  logger.info('ended');
}

/** Starts workers that serve. They read the configuration themselves; a reload goes ahead only if it has no mistakes. */
async function supervise(
  config: GatewayConfig,
  count: number,
  options: ConfigOptions,
  io: CliIo,
): Promise<void> {
  const logger = loggerOf(config, io);
  const { fork } = io;
  const { listeners } = config;
  const { supervisor, served } = await Supervisor.start({ count, fork, listeners, logger });
  const stopReloading = io.onReload(() => {
    readServedConfig(options, io)
      .then((changed) => supervisor.renew(workersOf(changed)))
      .catch((error: unknown) => logger.error(`the workers are not replaced: ${errorMessage(error)}`));
  });
  announce(served, io);
  logger.info({ ...served, workers: count }, 'serving');
  await stopped(io);
  stopReloading();
  logger.info({ drainTimeMs: config.shutdown.drainTimeMs }, 'draining');
  await supervisor.stop();
  logger.info('ended');
}

const workersOf = ({ workers }: GatewayConfig): number =>
  workers === 'auto' ? availableParallelism() : workers;

const loggerOf = (config: GatewayConfig, io: CliIo) =>
  createLogger({ ...config.log, destination: io.stderr, secrets: configSecrets(config) });

function announce({ url, port, adminPort }: Served, io: CliIo): void {
  writeLine(io.stdout, `rostack-gateway: ${url} on port ${port}`);
  if (adminPort !== undefined) writeLine(io.stdout, `admin listener on port ${adminPort}`);
}

async function stopped({ stop }: CliIo): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort');
}
