import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release } from 'rostack-core';
import { freePort } from 'test-support/free-port';

export const ADMIN_TOKEN = 'admin-token-0123456789abcdef0123456789';

/** What the main and the second token may do. */
export const GRANTS = ['stations:read', 'stations:follow', 'notes:read'];
/** What the token may do that lacks permissions: nothing that a resource needs. */
export const POOR_GRANTS = ['gauges:read'];

const SEEN = [
  '2026-11-28T11:00:00Z',
  '2026-11-28T11:00:00.5Z',
  '2026-11-28T20:00:00.55+09:00',
  '2026-11-28T11:00:01Z',
];

export const RECORDS = Array.from({ length: 60 }, (_, index) => ({
  id: `s${index}`,
  height: (index * 37) % 50,
  ...(index % 3 !== 0 && { name: index % 5 === 0 ? null : `이름 ${index % 7}` }),
  ...(index % 4 === 0 && { isOpen: index % 8 === 0, tags: ['a', `t${index % 3}`] }),
  ...(index % 2 === 0 && { depth: `${((index * 7) % 30) - 10}.${index % 10}0` }),
  ...(index % 3 === 1 && { seen: SEEN[index % SEEN.length] ?? '' }),
  ...(index % 5 === 0 && { place: { town: '서울' }, readings: { wind: index }, keeper: null }),
}));

export interface ServedConfig {
  readonly release: Release;
  /** @default SQLite in the folder of the file */
  readonly storeUrl?: string | undefined;
  /** Metadata of an authorization server, beside shared tokens. */
  readonly metadataUrl?: string | undefined;
  /** What access tokens have to be for. */
  readonly audience?: string | undefined;
}

/** Everything that a gateway can offer, and limits that are reached while it is checked. */
const text = (
  { release, storeUrl, metadataUrl, audience = '' }: ServedConfig,
  ports: { readonly data: number; readonly admin: number },
) => `
protocol: { release: "${release}" }
identity: { id: observatory, name: Observatory, api_version: "2" }
alternate_versions: [{ api_version: "1", discovery_url: https://localhost/1/.well-known/rostack }]
documentation_url: https://localhost/docs
listeners:
  data: { port: ${ports.data} }
  admin: { port: ${ports.admin}, token: { env: ADMIN_TOKEN } }
${storeUrl === undefined ? '' : `store: { url: ${storeUrl} }`}
${metadataUrl === undefined ? '' : `authentication: { oauth2: { metadata_url: ${metadataUrl}, audience: ${audience} } }`}
limits: { authentication_timeout: 3s, heartbeat_interval: 5s, heartbeat_timeout: 5s }
shutdown: { drain_time: 1s }
log: { level: silent }
rates:
  per_address: { requests: 1000000, window: 60s }
  per_principal: { requests: 1000000, window: 60s }
  failed_authentications: { attempts: 10, window: 1s }
permissions:
  stations:read: Read stations.
  stations:follow: Follow stations.
  notes:read: Read notes.
  gauges:read: Read gauges.
schemas: { place: ${join(import.meta.dirname, 'place.schema.json')} }
resources:
  stations:
    description: Weather stations.
    schema: ${join(import.meta.dirname, 'station.schema.json')}
    read_permissions: [stations:read]
    subscribe_permissions: [stations:follow]
    filterable: { /height: all, /name: all, /isOpen: all, /tags: all, /depth: all, /seen: all, /id: [eq, in] }
    sortable: [/height, /name, /depth, /seen]
    event_filtering: true
    representations:
      application/vnd.observatory.label+json:
        description: What is written at the door.
        schema: ${join(import.meta.dirname, 'label.schema.json')}
        map: { /id: { from: /id }, /text: { from: /name } }
    events:
      station.created: { transition: create, description: A station begins. }
      station.updated: { transition: update }
      station.removed: { transition: delete, tombstone: true }
  # Filters are of heights, which its events do not carry.
  field-notes:
    schema: ${join(import.meta.dirname, 'station.schema.json')}
    read_permissions: [notes:read]
    subscribe_permissions: []
    filterable: { /height: all }
    event_filtering: true
    events:
      note.written: { transition: create, carries: [id, name] }
      note.changed: { transition: update, carries: [id, name] }
      note.removed: { transition: delete, carries: [id, name] }
  journals:
    schema: ${join(import.meta.dirname, 'label.schema.json')}
    read_permissions: [notes:read]
    subscribe_permissions: [stations:follow]
    events:
      journal.kept: { transition: update }
  gauges:
    schema: ${join(import.meta.dirname, 'label.schema.json')}
    read_permissions: [gauges:read]
`;

/** Writes the configuration of a gateway on free ports. @returns its path, and where its listeners will be */
export async function writeGatewayConfig(folder: string, served: ServedConfig) {
  const ports = { data: await freePort(), admin: await freePort() };
  const file = join(folder, 'rostack-gateway.yaml');
  await writeFile(file, text(served, ports));
  return {
    file,
    url: `https://localhost:${ports.data}`,
    adminUrl: `http://127.0.0.1:${ports.admin}`,
    certificate: join(folder, 'data/localhost.crt.pem'),
  };
}
