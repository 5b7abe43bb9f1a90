import { defineImplementation } from 'rostack-core';
import { observationModel, stationModel } from './models.ts';

/** What a token needs to read and follow everything. */
export const ALL_PERMISSIONS = [
  'stations:read',
  'stations:follow',
  'observations:read',
  'observations:follow',
] as const;

/** The sample observatory, served below `baseUrl`. */
export function defineObservatory(baseUrl: string) {
  return defineImplementation({
    id: 'sample-observatory',
    name: 'Sample observatory',
    apiVersion: '2026-11-01',
    documentationUrl: `${baseUrl}/`,
    baseUrl,
    permissions: {
      'stations:read': 'Read weather stations.',
      'stations:follow': 'Follow changes of weather stations.',
      'observations:read': 'Read observations.',
      'observations:follow': 'Follow new, verified and deleted observations.',
    },
    resources: {
      stations: {
        description: 'Weather stations in Korea; the places are real.',
        model: stationModel,
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
        model: observationModel,
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
