import { defineImplementation, type EventEncoding, type JsonObject } from 'rostack-core';
import { z } from 'zod';
import { EVENTS, PERMISSIONS } from '../../follows/post.ts';

export const HOST = 'post.example';

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
  events: EVENTS,
} as const;

/** What is followed: short times, so that a fault is noticed soon. */
export function definePost(eventEncodings: readonly EventEncoding[]) {
  return defineImplementation({
    id: 'post',
    name: 'Post',
    apiVersion: '1',
    documentationUrl: `https://${HOST}/docs`,
    baseUrl: `https://${HOST}`,
    permissions: PERMISSIONS,
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
