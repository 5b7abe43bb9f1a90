import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigInput } from 'rostack-gateway';
import { type ResourceDefinition, toResourceDefinition } from 'rostack-store';
import { parseConfig } from '../../../../apps/rostack-gateway/src/config/load-config.ts';
import { defineConfigured } from '../../../../apps/rostack-gateway/src/config/model/configured-implementation.ts';
import { EVENTS, PERMISSIONS } from '../../follows/post.ts';
import { FILTERABLE_FIELDS, PARCEL_SCHEMA } from '../data/parcel.ts';

const SCHEMA_FILE = 'parcel.schema.json';
const PLENTY = 1_000_000;

const resource: ConfigInput['resources'][string] = {
  schema: SCHEMA_FILE,
  read_permissions: ['post:read'],
  subscribe_permissions: ['post:follow'],
  filterable: { ...FILTERABLE_FIELDS },
  sortable: ['/weight'],
  events: EVENTS,
};

/** Short times, so that a fault is noticed within the run; room for all clients on one address. */
const CONFIG: ConfigInput = {
  identity: { id: 'soak', name: 'Soak', api_version: '1' },
  data_dir: '.',
  listeners: { data: { connections: { max: PLENTY, max_per_address: PLENTY } } },
  store: { max_connections: 6, read_timeout: '5s' },
  permissions: PERMISSIONS,
  limits: {
    max_page_size: 50,
    authentication_timeout: '5s',
    heartbeat_interval: '1s',
    heartbeat_timeout: '1s',
    reconnect_min_delay: '100ms',
    reconnect_max_delay: '1s',
    max_connections_per_address: PLENTY,
  },
  rates: {
    per_address: { requests: PLENTY },
    per_principal: { requests: PLENTY },
    failed_authentications: { attempts: PLENTY },
  },
  resources: { parcels: resource, letters: resource },
  log: { level: 'warn' },
  shutdown: { drain_time: '800ms' },
};

/** Writes the configuration that all gateways share; returns its path. */
export async function writeSoakConfig(folder: string): Promise<string> {
  await writeFile(join(folder, SCHEMA_FILE), JSON.stringify(PARCEL_SCHEMA));
  const file = join(folder, 'rostack-gateway.yaml');
  await writeFile(file, JSON.stringify(CONFIG, null, 2));
  return file;
}

/** The resources as a store takes them: writers and gateways have to agree. */
export async function storedResources(folder: string): Promise<ResourceDefinition[]> {
  const config = await parseConfig(CONFIG, { environment: {}, folder });
  const { resources } = defineConfigured(config, 'https://localhost');
  return Object.values(resources).map(toResourceDefinition);
}
