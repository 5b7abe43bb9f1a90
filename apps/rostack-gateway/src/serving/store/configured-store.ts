import { hasCode, type ImplementedResource } from 'rostack-core';
import {
  type Mover,
  openStore,
  type Store,
  type StoreAlarm,
  StoreUnavailableError,
  startMover,
  type TableSource,
  toResourceDefinition,
} from 'rostack-store';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { sqliteFileOf } from '../../text/sqlite-url.ts';
import { databaseTarget } from './database-target.ts';
import { holdRunLock } from './run-lock.ts';

/** An open store; disposing closes it and the connection for its hints. */
export interface ConfiguredStore extends AsyncDisposable {
  readonly store: Store;
}

/**
 * Opens the store of a configuration, and keeps a SQLite database from being restored until it is closed.
 * @param resources the resources that will be read or written; none if only tokens are needed
 * @param onAlarm called with each alarm, which is also logged
 * @throws DatabaseInUseError `database_in_use`; StoreOptionsError, StoreUnavailableError, SchemaTooNewError of rostack-store
 */
export async function openConfiguredStore(
  config: Pick<GatewayConfig, 'store' | 'retention' | 'hints' | 'resources'>,
  resources: readonly ImplementedResource[],
  log: (line: string) => void,
  onAlarm: (alarm: StoreAlarm) => void = () => {},
): Promise<ConfiguredStore> {
  const hints = await openHints(config.hints);
  const file = sqliteFileOf(config.store.url);
  let runLock: Disposable | undefined;
  try {
    if (file !== undefined) runLock = holdRunLock(file);
    const store = await openStore({
      ...config.store,
      retention: config.retention,
      hints,
      resources: resources.map(toResourceDefinition),
      compositeIndexes: Object.fromEntries(
        resources.map(({ name }) => [name, config.resources[name]?.compositeIndexes ?? []]),
      ),
      onAlarm: (alarm) => {
        log(`store alarm ${alarm.code}: ${alarm.message}`);
        onAlarm(alarm);
      },
    });
    return {
      store,
      [Symbol.asyncDispose]: async () => {
        await store.close();
        await hints?.close();
        runLock?.[Symbol.dispose]();
      },
    };
  } catch (error) {
    await hints?.close();
    runLock?.[Symbol.dispose]();
    throw hasCode<StoreUnavailableError>(error, 'store_unavailable')
      ? withPlace(error, config.store.url)
      : error;
  }
}

/** The same error, with the setting and the location of the database. */
function withPlace(error: StoreUnavailableError, url: string): StoreUnavailableError {
  const message = `store.url: ${databaseTarget(url)} cannot be opened: ${error.message}`;
  return new StoreUnavailableError(message, { cause: error });
}

async function openHints({ natsServers, natsSubject, natsToken }: GatewayConfig['hints']) {
  if (natsServers.length === 0) return undefined;
  const { createNatsHintBus } = await import('rostack-store/nats');
  return createNatsHintBus({
    servers: natsServers,
    subject: natsSubject,
    ...(natsToken !== undefined && { connection: { token: natsToken } }),
  });
}

/** The tables that resources come from, by resource. */
export function tableSources({
  resources,
}: Pick<GatewayConfig, 'resources'>): Readonly<Record<string, TableSource>> {
  return Object.fromEntries(
    Object.entries(resources).flatMap(([name, { source }]) => (source === undefined ? [] : [[name, source]])),
  );
}

/** Starts following the tables of a configuration; undefined if no resource comes from one, and for a replica. */
export function followTables(
  store: Store,
  config: Pick<GatewayConfig, 'resources' | 'store'>,
): Mover | undefined {
  const sources = tableSources(config);
  return Object.keys(sources).length === 0 || config.store.role === 'replica'
    ? undefined
    : startMover(store, sources);
}
