import { type DescribedImplementation, defineImplementation, type Release } from 'rostack-core';
import { z } from 'zod';

const point = z.strictObject({ latitude: z.number(), longitude: z.number() }).meta({ id: 'point' });
const part = z.strictObject({
  title: z.string(),
  get inside() {
    return z.array(part);
  },
});
const station = z.strictObject({
  id: z.string(),
  name: z.string(),
  height: z.number().optional(),
  tags: z.array(z.string()),
  place: point,
  former_places: z.array(point),
  owner: z.string().nullable().optional(),
  kind: z.enum(['rain', 'wind']).optional(),
  reading: z.union([z.string(), z.number()]).optional(),
  parts: part.optional(),
});

/** An implementation with schemas of all kinds that descriptions and generators have to deal with. */
export const observatory = (release: Release): DescribedImplementation =>
  defineImplementation({
    release,
    id: 'observatory',
    name: 'Observatory',
    apiVersion: '7',
    documentationUrl: 'https://observatory.example/docs',
    baseUrl: 'https://observatory.example/data',
    permissions: { 'stations:read': 'Read stations', 'stations:follow': 'Follow stations' },
    authentication: {
      oauth2: { metadataUrl: 'https://accounts.example/.well-known/oauth-authorization-server' },
      sharedToken: true,
    },
    resources: {
      stations: {
        description: 'Weather stations',
        model: station,
        readPermissions: ['stations:read'],
        subscribePermissions: ['stations:follow'],
        filterable: { '/name': 'all', '/height': ['gte', 'lt'], '/tags': ['contains'] },
        sortable: ['/name'],
        events: {
          'station.created': { transition: 'create' },
          'station.changed': { transition: 'update' },
          'station.removed': { transition: 'delete' },
        },
      },
      'weather-notes': {
        model: z.strictObject({ id: z.string(), text: z.string() }),
        readPermissions: ['stations:read'],
      },
    },
  });
