import { isSqliteUrl } from '../../text/sqlite-url.ts';
import type { ConfigSections } from './config-sections.ts';

/** What is wrong at a path, as a fragment of a sentence that follows the path. */
interface SectionFault {
  readonly path: string[];
  readonly message: string;
}

/** What is wrong with sections that are right on their own, but do not fit together. */
export const sectionFaults = (sections: ConfigSections): readonly SectionFault[] =>
  [connectionFaults, postgresFaults, canaryFaults, replicaFaults, workerFaults].flatMap((rule) =>
    rule(sections),
  );

const isSqlite = ({ url }: ConfigSections['store']) => url === undefined || isSqliteUrl(url);

/** Limits of WebSockets that are higher than the data listener's limits of TCP connections. */
function connectionFaults({ limits, listeners: { data } }: ConfigSections): SectionFault[] {
  const { max, maxPerAddress } = data.connections;
  const tooMany = (limit: string, room: string, most: number): SectionFault => ({
    path: ['limits', limit],
    message: `is more than listeners.data.connections.${room} (${most}) has room for; write at most that, or more there`,
  });
  // A proxy carries the WebSockets of many addresses, and its own address has no limit.
  const isDirect = data.trustedProxies.length === 0;
  return [
    ...(limits.maxConnections > max ? [tooMany('max_connections', 'max', max)] : []),
    ...(isDirect && limits.maxConnectionsPerAddress > maxPerAddress
      ? [tooMany('max_connections_per_address', 'max_per_address', maxPerAddress)]
      : []),
  ];
}

/** Settings that only a PostgreSQL store supports. */
function postgresFaults({ store, hints, rates }: ConfigSections): SectionFault[] {
  if (!isSqlite(store)) return [];
  const paths = [
    ...(store.directUrl === undefined ? [] : [['store', 'direct_url']]),
    ...(store.role === 'primary' ? [] : [['store', 'role']]),
    ...(rates.isShared ? [['rates', 'shared']] : []),
    ...(hints.natsServers.length === 0 ? [] : [['hints', 'nats_servers']]),
  ];
  const message = 'needs a PostgreSQL store; write store.url: postgres://... or leave it out';
  return paths.map((path) => ({ path, message }));
}

/** Why the canary's record could not be written, or its event not recognized. A replica writes none, so there nothing is wrong. */
function canaryFaults({ metrics: { canary }, resources, store }: ConfigSections): SectionFault[] {
  if (canary === undefined || store.role === 'replica') return [];
  const resource = resources[canary.resource];
  const fault =
    resource === undefined
      ? 'is not a resource; write one of those in resources'
      : resource.source !== undefined
        ? 'takes its records from a table, so nothing else writes them; write another resource'
        : resource.visible !== undefined || Object.keys(resource.events).length === 0
          ? 'needs events and no row rule; write another resource'
          : undefined;
  if (fault === undefined) return [];
  return [{ path: ['metrics', 'canary', 'resource'], message: `: ${canary.resource} ${fault}` }];
}

/** Settings that would make a replica write. */
function replicaFaults({ store, rates, metrics }: ConfigSections): SectionFault[] {
  if (store.role === 'primary') return [];
  const paths = [
    ...(rates.isShared ? [['rates', 'shared']] : []),
    ...(metrics.canary === undefined ? [] : [['metrics', 'canary']]),
  ];
  const message =
    'is written to the database, which a replica only reads; leave it out with store.role: replica';
  return paths.map((path) => ({ path, message }));
}

/** Processes cannot share a store in memory. */
function workerFaults({ workers, store }: ConfigSections): SectionFault[] {
  if (workers === 1 || store.url !== 'sqlite::memory:') return [];
  const message = ': processes cannot share a store in memory; write 1, or a store.url with a file';
  return [{ path: ['workers'], message }];
}
