import { defineImplementation, type EventEncoding, type JsonObject } from 'rostack-core';
import { z } from 'zod';

export const HOST = 'post.example';

/** Event names by what happened. */
export const EVENT_NAMES = { create: 'item.posted', update: 'item.moved', delete: 'item.gone' } as const;

export const RESOURCES = ['parcels', 'letters'] as const;
export type ResourceName = (typeof RESOURCES)[number];

const GRANTS = ['post:read', 'post:follow'] as const;
export const PERMISSIONS: ReadonlySet<string> = new Set(GRANTS);

const Post = z.strictObject({
  id: z.string(),
  status: z.string(),
  weight: z.number(),
  note: z.string().optional(),
});

const resource = {
  model: Post,
  readPermissions: ['post:read'],
  subscribePermissions: ['post:follow'],
  filterable: { '/status': 'all', '/weight': 'all' },
  events: {
    [EVENT_NAMES.create]: { transition: 'create' },
    [EVENT_NAMES.update]: { transition: 'update' },
    [EVENT_NAMES.delete]: { transition: 'delete' },
  },
} as const;

/** What is followed: short times, so that a fault is noticed soon. */
export function definePost(eventEncodings: readonly EventEncoding[]) {
  return defineImplementation({
    id: 'post',
    name: 'Post',
    apiVersion: '1',
    documentationUrl: `https://${HOST}/docs`,
    baseUrl: `https://${HOST}`,
    permissions: { 'post:read': 'Read what is posted.', 'post:follow': 'Follow what is posted.' },
    eventEncodings,
    limits: {
      maxPageSize: 10,
      authenticationTimeoutMs: 2_000,
      heartbeatIntervalMs: 2_000,
      heartbeatTimeoutMs: 1_000,
      reconnectMinDelayMs: 100,
      reconnectMaxDelayMs: 1_000,
      discoveryRefreshAfterMs: 60_000,
    },
    resources: { parcels: resource, letters: resource },
  });
}

export type Post = ReturnType<typeof definePost>;

/** What is followed of a resource. */
export const FILTERS: readonly (JsonObject | undefined)[] = [
  undefined,
  { '/status': { eq: 'sent' } },
  { $or: [{ '/weight': { gte: 60 } }, { '/status': { eq: 'lost' } }] },
];
