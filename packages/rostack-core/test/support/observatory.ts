import { z } from 'zod';
import type { ImplementationDeclaration } from '../../src/index.ts';

/** A record with every kind of field. */
export const Station = z.object({
  id: z.string(),
  name: z.string(),
  height: z.number().optional(),
  active: z.boolean(),
  tags: z.array(z.string()),
  position: z.object({ latitude: z.number(), longitude: z.number() }),
});

/** A declaration with one resource that has everything. */
export const observatory = {
  id: 'observatory',
  name: 'Observatory',
  apiVersion: '7',
  documentationUrl: 'https://observatory.example/docs',
  baseUrl: 'https://observatory.example/data/',
  permissions: { 'stations:read': 'Read stations', 'stations:follow': 'Follow stations' },
  resources: {
    stations: {
      description: 'Weather stations',
      model: Station,
      readPermissions: ['stations:read'],
      subscribePermissions: ['stations:follow'],
      filterable: {
        '/name': 'all',
        '/height': 'all',
        '/active': 'all',
        '/tags': 'all',
        '/position/latitude': ['gte', 'lt'],
      },
      sortable: ['/name', '/height'],
      events: {
        'station.created': { transition: 'create', description: 'Went into service' },
        'station.changed': { transition: 'update', carries: 'nothing' },
        'station.removed': {
          transition: 'delete',
          carries: {
            model: z.object({ last_name: z.string() }),
            project: ({ before }) => ({ last_name: before?.['name'] ?? '' }),
          },
        },
      },
    },
  },
} as const satisfies ImplementationDeclaration;
