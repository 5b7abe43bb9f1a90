import type { ImplementedResource } from 'rostack-core';
import { openStore, type ResourceDefinition, type Store, type StoreAlarm } from 'rostack-store';
import { holdRunLock, sqliteFileOf } from './backup/run-lock.ts';
import type { GatewayConfig } from './config/gateway-config.ts';

/** An open store; close it by `close`, which also ends what carries its hints. */
export interface ConfiguredStore {
  readonly store: Store;
  readonly close: () => Promise<void>;
}

/**
 * Opens the store of a configuration, and keeps a SQLite database from being restored until it is closed.
 * @param onAlarm told of alarms beside the log
 * @param resources those that are going to be read or written: none for tokens alone
 * @throws DatabaseInUseError `database_in_use`; StoreOptionsError, StoreUnavailableError, SchemaTooNewError of rostack-store
 */
export async function openConfiguredStore(
  config: Pick<GatewayConfig, 'store' | 'retention' | 'hints'>,
  resources: readonly ImplementedResource[],
  log: (line: string) => void,
  onAlarm: (alarm: StoreAlarm) => void = () => {},
): Promise<ConfiguredStore> {
  const { url, ...options } = config.store;
  const hints = await openHints(config.hints);
  const file = sqliteFileOf(url);
  let runLock: Disposable | undefined;
  try {
    if (file !== undefined) runLock = holdRunLock(file);
    const store = await openStore(url, {
      ...options,
      retention: config.retention,
      hints,
      resources: resources.map(toResourceDefinition),
      onAlarm: (alarm) => {
        log(`store alarm ${alarm.code}: ${alarm.message}`);
        onAlarm(alarm);
      },
    });
    return {
      store,
      close: async () => {
        await store.close();
        await hints?.close();
        runLock?.[Symbol.dispose]();
      },
    };
  } catch (error) {
    await hints?.close();
    runLock?.[Symbol.dispose]();
    throw error;
  }
}

/** What the store has to know of a resource. */
export function toResourceDefinition(resource: ImplementedResource): ResourceDefinition {
  const { name, schema, idPointer, events, filtering } = resource;
  return {
    name,
    schema,
    idPointer,
    events: [...events.values()].map((event) => ({ name: event.name, transition: event.transition })),
    filterableFields: filtering.filterable_fields,
    sortableFields: filtering.sortable_fields,
  };
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
