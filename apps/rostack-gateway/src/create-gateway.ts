import type { Mover } from 'rostack-store';
import { holdRunLock, sqliteFileOf } from './backup/run-lock.ts';
import { checkServedDocument } from './compatibility/served-document.ts';
import { defineConfigured } from './config/configured-implementation.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { type ConfiguredStore, openConfiguredStore } from './configured-store.ts';
import { Gateway } from './gateway.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { gatewayKeys } from './gateway-keys.ts';
import { listen } from './listener.ts';
import { Operations } from './operations.ts';
import { serve } from './serve.ts';
import { followTables } from './table-sources.ts';

/**
 * Binds the data listener, opens the store and serves what the configuration describes.
 * @throws PortInUseError, CertificateError, SecretsFileError, BreakingChangeError, DatabaseInUseError; StoreOptionsError, StoreUnavailableError, SchemaTooNewError of rostack-store
 */
export async function createGateway(
  config: GatewayConfig,
  dependencies: GatewayDependencies = {},
): Promise<Gateway> {
  const { logger, log = (line: string) => logger?.warn(line) } = dependencies;
  const keys = await gatewayKeys(config);
  const listener = await listen(config.listeners.data, { dataDir: config.dataDir, log });
  let store: ConfiguredStore | undefined;
  let operations: Operations | undefined;
  let runLock: Disposable | undefined;
  let mover: Mover | undefined;
  try {
    const baseUrl = config.publicUrl ?? `https://localhost:${listener.port}`;
    const implementation = defineConfigured(config, baseUrl);
    operations = await Operations.start(config, implementation, logger);
    const databaseFile = sqliteFileOf(config.store.url);
    runLock = databaseFile === undefined ? undefined : holdRunLock(databaseFile);
    store = await openConfiguredStore(config, Object.values(implementation.resources), log);
    operations.opened(store.store);
    await checkServedDocument(store.store, implementation, { ...config.compatibility, log });
    mover = followTables(store.store, config);
    const serving = await serve({
      config,
      dependencies,
      keys,
      listener,
      implementation,
      store: store.store,
      operations,
      log,
    });
    operations.serves(() => serving.websockets.status);
    return new Gateway({
      config,
      baseUrl,
      implementation,
      listener,
      store,
      operations,
      runLock,
      mover,
      ...serving,
    });
  } catch (error) {
    listener.stopWatching();
    listener.server.close();
    await operations?.[Symbol.asyncDispose]();
    await mover?.close();
    await store?.close();
    runLock?.[Symbol.dispose]();
    throw error;
  }
}
