import type { JsonObject } from 'rostack-core';
import type { BenchGatewayOptions } from '../../support/gateway/bench-gateway.ts';
import { EVENTS } from '../../support/gateway/config.ts';

const WORDS = 80;
const SORT = '/kind,-/status,/region,-/altitude';
const KINDS = ['air', 'ground', 'river', 'sea', 'snow'];

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'kind', 'status', 'region', 'altitude', 'note'],
  properties: {
    id: { type: 'string' },
    kind: { type: 'string' },
    status: { type: 'string' },
    region: { type: 'string' },
    altitude: { type: 'number' },
    note: { type: 'string' },
    written_at_ms: { type: 'number' },
  },
} as const;

export function noisyReading(index: number): JsonObject & { readonly id: string } {
  return {
    id: `reading-${String(index).padStart(6, '0')}`,
    kind: KINDS[index % KINDS.length] ?? 'air',
    status: index % 3 === 0 ? 'idle' : 'active',
    region: `region-${index % 400}`,
    altitude: (index * 7_919) % 100_000,
    note: `a note of the usual length, of number ${index}, that says what was seen and when`,
  };
}

/** 100,000 records of about 200 bytes, behind a gateway that is started without options of Node. */
export const NOISY_GATEWAY: BenchGatewayOptions = {
  records: 100_000,
  record: noisyReading,
  schema: SCHEMA,
  sections: {
    resources: {
      readings: {
        schema: 'reading.schema.json',
        read_permissions: ['readings:read'],
        subscribe_permissions: ['readings:read'],
        filterable: { '/note': 'all' },
        sortable: ['/kind', '/status', '/region', '/altitude'],
        events: EVENTS,
      },
    },
  },
  surroundings: {},
};

/**
 * The path of an expensive list, a different one for each number. Every other one matches nothing, the rest match everything: each has to
 * look at all or many records and sort them.
 */
export function noisyPath(number: number): string {
  const words = Array.from({ length: WORDS }, (_, index) => ({
    '/note': { contains: `no ${number}.${index}` },
  }));
  const filter = number % 2 === 0 ? { $or: words } : { $not: { $or: words } };
  return `/api/readings?sort=${SORT}&limit=200&filter=${encodeURIComponent(JSON.stringify(filter))}`;
}
