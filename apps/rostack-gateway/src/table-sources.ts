import { type Mover, type Store, startMover, type TableSource } from 'rostack-store';
import type { GatewayConfig } from './config/gateway-config.ts';

/** The tables that resources come from, by resource. */
export function tableSources({
  resources,
}: Pick<GatewayConfig, 'resources'>): Readonly<Record<string, TableSource>> {
  return Object.fromEntries(
    Object.entries(resources).flatMap(([name, { source }]) => (source === undefined ? [] : [[name, source]])),
  );
}

/** Starts following the tables of a configuration; undefined where no resource comes from one. */
export function followTables(store: Store, config: Pick<GatewayConfig, 'resources'>): Mover | undefined {
  const sources = tableSources(config);
  return Object.keys(sources).length === 0 ? undefined : startMover(store, sources);
}
