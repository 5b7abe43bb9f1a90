import { defineImplementation, type Release } from 'rostack-core';
import { z } from 'zod';

/** A further representation of a plant. */
export const LABEL_MEDIA_TYPE = 'application/vnd.herbarium.label+json';

const Plant = z.strictObject({
  id: z.string(),
  name: z.string(),
  family: z.string().nullable(),
  heightCm: z.number().nullable().optional(),
  isEvergreen: z.boolean(),
  tags: z.array(z.string()).optional(),
  place: z.strictObject({ garden: z.string(), bed: z.int() }).optional(),
  price: z.string().meta({ format: 'decimal' }).optional(),
  plantedAt: z.string().meta({ format: 'date-time' }).optional(),
  note: z.string().optional(),
});
const Label = z.strictObject({ id: z.string(), text: z.string() });
const Sheet = z.strictObject({ id: z.int(), title: z.string(), pages: z.int() });
const Gift = z.strictObject({ id: z.string(), giver: z.string() });

/**
 * Plants with everything that the protocol has, sheets whose ids are integers and that have no events, and gifts that need two
 * permissions and have an item URL with a query.
 */
export function defineReference(baseUrl: string, release: Release, heartbeatMs = 3_000) {
  return defineImplementation({
    release,
    id: 'herbarium',
    name: 'Herbarium',
    apiVersion: '1',
    documentationUrl: `${baseUrl}/docs`,
    baseUrl,
    permissions: {
      'plants:read': 'Read plants',
      'plants:follow': 'Follow plants',
      'sheets:read': 'Read sheets',
      'gifts:read': 'Read gifts',
    },
    limits: {
      maxPageSize: 60,
      // Both sides are in one process, which a busy machine may hold up for a second.
      authenticationTimeoutMs: 3_000,
      heartbeatIntervalMs: heartbeatMs,
      heartbeatTimeoutMs: heartbeatMs,
      reconnectMinDelayMs: 100,
      reconnectMaxDelayMs: 1_000,
    },
    compression: true,
    resources: {
      plants: {
        model: Plant,
        readPermissions: ['plants:read'],
        subscribePermissions: ['plants:follow'],
        filterable: {
          '/id': 'all',
          '/name': 'all',
          '/family': 'all',
          '/heightCm': 'all',
          '/isEvergreen': 'all',
          '/tags': 'all',
          '/place/garden': 'all',
          '/place/bed': 'all',
          '/price': 'all',
          '/plantedAt': 'all',
          '/note': ['exists', 'contains'],
        },
        sortable: ['/name', '/family', '/heightCm', '/isEvergreen', '/place/bed', '/price', '/plantedAt'],
        events: {
          'plant.added': { transition: 'create' },
          'plant.changed': { transition: 'update' },
          'plant.removed': { transition: 'delete' },
        },
        representations: [{ mediaType: LABEL_MEDIA_TYPE, model: Label }],
      },
      sheets: {
        model: Sheet,
        readPermissions: ['sheets:read'],
        filterable: { '/title': ['eq', 'starts_with'], '/pages': ['gte', 'lt'] },
        sortable: ['/pages'],
      },
      gifts: {
        model: Gift,
        readPermissions: ['gifts:read', 'plants:read'],
        collectionUrl: `${baseUrl}/lists/gifts`,
        itemUrlTemplate: `${baseUrl}/gift?id={id}`,
      },
    },
  });
}

/** What `defineReference` gives. */
export type ReferenceImplementation = ReturnType<typeof defineReference>;

/** One function for each further representation. */
export const RENDERERS = {
  plants: {
    [LABEL_MEDIA_TYPE]: ({ id, name }: z.infer<typeof Plant>) => ({ id, text: `${name}!` }),
  },
};
