import type { ImplementedResource } from 'rostack-core';
import { defineConfigured } from '../config/configured-implementation.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { type ConfiguredStore, openConfiguredStore } from '../configured-store.ts';
import { UsageError } from './exit-code.ts';

/** Nothing that the store keeps depends on it. */
const ANY_URL = 'https://localhost';

/** One resource of a configuration and the store that holds it. */
export interface OpenedResource extends AsyncDisposable {
  readonly store: ConfiguredStore['store'];
  readonly resource: ImplementedResource;
}

/** Opens the store with one resource that may be written. @throws UsageError when there is none of that name, or a table feeds it */
export async function openResource(
  config: GatewayConfig,
  name: string,
  log: (line: string) => void,
): Promise<OpenedResource> {
  const resource = Object.hasOwn(config.resources, name)
    ? defineConfigured(config, ANY_URL).resources[name]
    : undefined;
  if (resource === undefined) {
    throw new UsageError(
      `there is no resource ${name}: name one of ${Object.keys(config.resources).join(', ')}`,
    );
  }
  const table = config.resources[name]?.source?.table;
  if (table !== undefined) throw new UsageError(`${name} comes from the table ${table}: write to that table`);
  const { store, close } = await openConfiguredStore(config, [resource], log);
  return { store, resource, [Symbol.asyncDispose]: close };
}
