import { readFile } from 'node:fs/promises';
import { checkOptions, guardObserver, type ImplementationDefinition, type RecordSource } from 'rostack-core';
import type { Mover, Store, StoreAlarm } from 'rostack-store';
import { followLogs, type LogFollowing } from '../../cluster/peers/follow-logs.ts';
import type { Peers } from '../../cluster/peers/peers.ts';
import { checkServedDocument } from '../../config/compatibility/served-document.ts';
import { ConfigError } from '../../config/fault/config-error.ts';
import { defineConfigured } from '../../config/model/configured-implementation.ts';
import { aGatewayConfig, type GatewayConfig } from '../../config/model/gateway-config.ts';
import { HeadCheckpoint } from '../../observe/health/head-checkpoint.ts';
import { errorMessage } from '../../text/error-message.ts';
import { CertificateWatch } from '../certificates/certificate-watch.ts';
import { type Listener, listen, unboundListener } from '../listener/listener.ts';
import { type ConfiguredStore, followTables, openConfiguredStore } from '../store/configured-store.ts';
import { Gateway } from './gateway.ts';
import { gatewayKeys } from './gateway-keys.ts';
import { Operations } from './operations.ts';
import { type GatewayDependencies, serve } from './serve.ts';

/** Checks first, because a gateway that will be refused must not add its fields to a database that others serve. */
async function checkBeforeOpening(
  config: GatewayConfig,
  implementation: ImplementationDefinition,
  log: (line: string) => void,
  onAlarm: (alarm: StoreAlarm) => void,
): Promise<void> {
  await using opened = await openConfiguredStore(config, [], log, onAlarm);
  await checkServedDocument(opened.store, implementation, { ...config.compatibility, log });
}

const sourcesOf = (
  store: Store,
  { resources }: ImplementationDefinition,
): ReadonlyMap<string, RecordSource> =>
  new Map(Object.keys(resources).map((name) => [name, store.source(name)]));

/**
 * Binds the data listener (unless `listen` is false), opens the store and serves what the configuration describes.
 * @throws OptionsError `invalid_options`; ConfigError, PortInUseError, CertificateError, SecretsFileError, BreakingChangeError,
 * DatabaseInUseError; StoreOptionsError, StoreUnavailableError, SchemaTooNewError of rostack-store
 */
export function createGateway(
  config: GatewayConfig,
  dependencies: GatewayDependencies = {},
): Promise<Gateway> {
  return createGatewayOn(undefined, config, dependencies);
}

/** `createGateway` on a machine where other processes serve the same; undefined if there are none. */
export async function createGatewayOn(
  machine: Peers | undefined,
  config: GatewayConfig,
  dependencies: GatewayDependencies,
): Promise<Gateway> {
  checkOptions(aGatewayConfig, config, 'The gateway cannot be made', 'config');
  const { logger } = dependencies;
  const log = guardObserver(dependencies.log ?? ((line: string) => logger?.warn(line)), warnOfLog);
  const keys = await gatewayKeys(config);
  const listener =
    dependencies.listen === false
      ? embedded(config)
      : await listen(config.listeners.data, {
          dataDir: config.dataDir,
          log,
          machine,
        });
  const leads = machine?.isLead ?? true;
  let store: ConfiguredStore | undefined;
  let operations: Operations | undefined;
  let heads: HeadCheckpoint | undefined;
  let expiry: CertificateWatch | undefined;
  let mover: Mover | undefined;
  let logs: LogFollowing | undefined;
  try {
    const baseUrl = config.publicUrl ?? `https://localhost:${listener.port}`;
    const implementation = defineConfigured(config, baseUrl);
    operations = await Operations.start(config, implementation, listener, { logger, machine });
    const take = operations.takeAlarm.bind(operations);
    const onAlarm = ({ code, message }: StoreAlarm) => take(code, message);
    if (leads && config.store.role === 'primary')
      await checkBeforeOpening(config, implementation, log, onAlarm);
    store = await openConfiguredStore(
      leads ? config : withoutPruning(config),
      Object.values(implementation.resources),
      log,
      onAlarm,
    );
    operations.store = store.store;
    heads = !leads
      ? undefined
      : await HeadCheckpoint.start({
          dataDir: config.dataDir,
          store: config.store,
          sources: sourcesOf(store.store, implementation),
          onLost: (message) => {
            log(`gateway alarm changes_lost: ${message}`);
            take('changes_lost', message);
          },
          log,
        });
    if (leads) {
      expiry = new CertificateWatch({
        expiresAtMs: listener.certificateExpiresAtMs,
        nowMs: Date.now,
        renewal: renewalOf(config),
        onExpiring: (message) => {
          log(`gateway alarm certificate_expires: ${message}`);
          take('certificate_expires', message);
        },
      });
    }
    if (leads) mover = followTables(store.store, config);
    logs = machine && followLogs(machine, sourcesOf(store.store, implementation));
    operations.mover = mover;
    const serving = serve({
      config,
      dependencies,
      keys,
      listener,
      implementation,
      store: store.store,
      operations,
      machine,
      followed: logs,
      log,
    });
    operations.websockets = serving.websockets;
    machine?.serve('data', listener.server);
    const { developmentCertificatePath: certificate } = listener;
    if (leads)
      operations.startCanary(
        config,
        implementation.discovery.endpoints.websocket,
        certificate && (await readFile(certificate, 'utf8')),
      );
    return new Gateway({
      config,
      baseUrl,
      implementation,
      listener,
      store,
      operations,
      heads,
      expiry,
      mover,
      logs,
      machine,
      ...serving,
    });
  } catch (error) {
    listener.stopWatching();
    listener.server.close();
    expiry?.[Symbol.dispose]();
    await operations?.[Symbol.asyncDispose]();
    await logs?.[Symbol.asyncDispose]();
    await mover?.close();
    await heads?.[Symbol.asyncDispose]();
    await store?.[Symbol.asyncDispose]();
    throw error;
  }
}

const renewalOf = ({ listeners: { data } }: GatewayConfig): string =>
  data.tls.mode === 'files'
    ? `write a new one to ${data.tls.certificateFile}`
    : 'start the gateway again, which makes a new one';

/** Log lines that a failing destination does not take are lost. */
function warnOfLog(error: unknown): void {
  process.emitWarning(`log failed: ${errorMessage(error)}`, { code: 'ROSTACK_GATEWAY_LOG_FAILED' });
}

/** Turns off pruning: of several processes over one database, only one drops old changes. */
const withoutPruning = (config: GatewayConfig): GatewayConfig => ({
  ...config,
  retention: { ...config.retention, intervalMs: 0 },
});

/** @throws ConfigError `config_invalid`: `public_url` is missing, and without its own port the gateway cannot know its URL */
function embedded({ publicUrl, listeners }: GatewayConfig): Listener {
  if (publicUrl !== undefined) return unboundListener(listeners.data);
  const message =
    'public_url is missing: write the URL at which the server that embeds the gateway is reached.';
  throw new ConfigError([{ path: ['public_url'], message, location: undefined }]);
}
