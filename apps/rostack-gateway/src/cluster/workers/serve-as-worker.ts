import { once } from 'node:events';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { createGatewayOn } from '../../serving/gateway/create-gateway.ts';
import type { Channel } from '../peers/rpc.ts';
import { WorkerLink } from './worker-link.ts';

/** What the process of a worker provides. */
export interface WorkerSurroundings {
  readonly logger: Logger;
  /** Aborted when this process should end by itself. */
  readonly stop: AbortSignal;
  /** Calls back when certificates should be read again, until the returned function is called. */
  readonly onReload: (reload: () => void) => () => void;
}

/** Serves as one of several processes until the supervisor or a signal asks this one to end. */
export async function serveAsWorker(
  config: GatewayConfig,
  channel: Channel,
  { logger: machineLogger, stop, onReload }: WorkerSurroundings,
): Promise<void> {
  using link = await WorkerLink.open(channel, (line) => machineLogger.warn(line));
  const logger = machineLogger.child({ worker: link.number });
  const gateway = await createGatewayOn(link, config, { logger });
  const stopReloading = onReload(() => void gateway.reloadCertificate());
  logger.info({ pid: process.pid, isLead: link.isLead }, 'worker serves');
  link.serving(gateway.url);
  const ended = AbortSignal.any([stop, link.leave]);
  if (!ended.aborted) await once(ended, 'abort');
  stopReloading();
  await gateway.close();
  await link.reportLast();
}
