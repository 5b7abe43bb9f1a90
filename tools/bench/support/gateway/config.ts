import type { ConfigInput } from '../../../../apps/rostack-gateway/src/config/model/config-model.ts';

const PLENTY = 100_000_000;

export const HOST = 'localhost';
export const ADMIN_TOKEN = 'bench-admin-token-0123456789abcdef';

export const EVENTS = {
  'reading.created': { transition: 'create' },
  'reading.updated': { transition: 'update' },
  'reading.deleted': { transition: 'delete' },
} as const;

/** What the gateways of benchmarks have, unless they say otherwise. */
export const CONFIG: ConfigInput = {
  identity: { id: 'bench', name: 'Bench', api_version: '1' },
  public_url: `https://${HOST}`,
  data_dir: '.',
  listeners: {
    data: {
      port: 0,
      tls: 'off',
      trusted_proxies: ['127.0.0.0/8'],
      hosts: ['127.0.0.1'],
      connections: { max: 1_000_000 },
    },
    admin: { port: 0, token: { env: 'ADMIN_TOKEN' } },
  },
  permissions: { 'readings:read': 'Read readings.' },
  rates: { per_address: { requests: PLENTY }, per_principal: { requests: PLENTY } },
  resources: {
    readings: {
      schema: 'reading.schema.json',
      read_permissions: ['readings:read'],
      subscribe_permissions: ['readings:read'],
      filterable: {
        '/station': ['eq', 'gt', 'gte', 'lt', 'lte'],
        '/altitude': ['gt', 'gte', 'lt', 'lte'],
      },
      sortable: ['/station', '/altitude'],
      composite_indexes: [{ equal: '/station', sort: '/altitude' }],
      event_filtering: true,
      events: EVENTS,
    },
  },
  log: { level: 'warn' },
};
