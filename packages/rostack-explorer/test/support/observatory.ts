import { readFileSync } from 'node:fs';
import {
  defineImplementation,
  type ImplementationDefinition,
  type JsonSchema,
  type UrlsDeclaration,
} from 'rostack-core';

const SAMPLE = new URL('../../../../apps/rostack-gateway/examples/observatory/', import.meta.url);

const schema = (name: string): JsonSchema =>
  JSON.parse(readFileSync(new URL(`schemas/${name}.schema.json`, SAMPLE), 'utf8')) as JsonSchema;

/** The gateway's sample observatory, defined by hand. */
export function defineObservatory({
  baseUrl,
  documentationUrl,
  urls,
  discoveryPublic = true,
  oauthMetadataUrl,
}: {
  readonly baseUrl: string;
  readonly documentationUrl: string;
  readonly urls?: UrlsDeclaration;
  readonly discoveryPublic?: boolean | undefined;
  readonly oauthMetadataUrl?: string | undefined;
}): ImplementationDefinition {
  return defineImplementation({
    id: 'sample-observatory',
    name: 'Sample observatory',
    apiVersion: '2026-11-01',
    documentationUrl,
    baseUrl,
    ...(urls && { urls }),
    authentication: {
      discoveryPublic,
      sharedToken: true,
      ...(oauthMetadataUrl !== undefined && { oauth2: { metadataUrl: oauthMetadataUrl } }),
    },
    permissions: {
      'stations:read': 'Read weather stations.',
      'stations:follow': 'Follow changes of weather stations.',
      'observations:read': 'Read observations.',
      'observations:follow': 'Follow new, verified and deleted observations.',
    },
    limits: { reconnectMinDelayMs: 500 },
    resources: {
      stations: {
        description: 'Weather stations in Korea; the places are real.',
        model: schema('station'),
        readPermissions: ['stations:read'],
        subscribePermissions: ['stations:follow'],
        filterable: { '/id': 'all', '/status': 'all', '/location/elevation_m': 'all' },
        sortable: ['/id', '/name_en', '/location/elevation_m'],
        events: {
          'station.added': { transition: 'create' },
          'station.changed': { transition: 'update' },
          'station.removed': { transition: 'delete' },
        },
      },
      observations: {
        description: 'Invented readings: a new one every second, each verified about half a minute later.',
        model: schema('observation'),
        readPermissions: ['observations:read'],
        subscribePermissions: ['observations:follow'],
        filterable: {
          '/station_id': 'all',
          '/observed_at': 'all',
          '/temperature_c': 'all',
          '/wind/speed_mps': 'all',
          '/quality': 'all',
        },
        sortable: ['/observed_at', '/temperature_c', '/wind/speed_mps'],
        events: {
          'observation.made': { transition: 'create' },
          'observation.verified': { transition: 'update' },
          'observation.deleted': { transition: 'delete' },
        },
      },
    },
  });
}
