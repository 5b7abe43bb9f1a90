import { defineImplementation, type JsonObject } from 'rostack-core';
import type { RecordRenderers } from 'rostack-server';
import { z } from 'zod';

export const BASE_URL = 'https://observatory.example';
export const SUMMARY_MEDIA_TYPE = 'application/vnd.observatory.summary+json';

const Station = z.strictObject({
  id: z.string(),
  name: z.string(),
  region: z.string().nullable(),
  altitude: z.number(),
  active: z.boolean(),
  tags: z.array(z.string()).optional(),
  location: z.strictObject({ latitude: z.number(), longitude: z.number() }).optional(),
  note: z.string().optional(),
});
const Summary = z.strictObject({ id: z.string(), label: z.string() });
const Note = z.strictObject({ id: z.string(), text: z.string() });

/** One resource with everything, one whose ids stand in the query, one behind another template. */
export function defineObservatory(
  options: { readonly metadataUrl?: string; readonly discoveryPublic?: boolean } = {},
) {
  return defineImplementation({
    id: 'observatory',
    name: 'Observatory',
    apiVersion: '3',
    documentationUrl: `${BASE_URL}/docs`,
    baseUrl: BASE_URL,
    authentication: {
      sharedToken: true,
      discoveryPublic: options.discoveryPublic ?? true,
      ...(options.metadataUrl === undefined ? {} : { oauth2: { metadataUrl: options.metadataUrl } }),
    },
    permissions: {
      'stations:read': 'Read stations',
      'notes:read': 'Read notes',
      'archive:read': 'Read the archive',
    },
    limits: { maxPageSize: 100 },
    resources: {
      stations: {
        model: Station,
        readPermissions: ['stations:read'],
        filterable: {
          '/name': 'all',
          '/region': ['eq', 'ne', 'in', 'nin'],
          '/altitude': ['eq', 'gt', 'gte', 'lt', 'lte', 'in'],
          '/active': ['eq'],
          '/note': ['exists', 'contains'],
        },
        sortable: ['/name', '/altitude'],
        events: {
          'station.created': { transition: 'create' },
          'station.updated': { transition: 'update' },
          'station.deleted': { transition: 'delete' },
        },
        representations: [{ mediaType: SUMMARY_MEDIA_TYPE, model: Summary }],
      },
      notes: {
        model: Note,
        readPermissions: ['notes:read', 'stations:read'],
        collectionUrl: `${BASE_URL}/notes`,
        itemUrlTemplate: `${BASE_URL}/note?id={id}`,
      },
      archive: {
        model: Note,
        readPermissions: ['archive:read'],
        collectionUrl: `${BASE_URL}/deep/archive/all`,
        itemUrlTemplate: `${BASE_URL}/deep/archive/by-id/{id}/text`,
      },
    },
  });
}

export const RENDERERS: RecordRenderers = {
  stations: {
    [SUMMARY_MEDIA_TYPE]: (record: JsonObject) => ({
      id: record.id ?? '',
      label: `${record.name as string}!`,
    }),
  },
};
