import { defineImplementation, type RowRule } from 'rostack-core';
import { z } from 'zod';

export const Station = z.strictObject({
  id: z.string(),
  name: z.string(),
  region: z.string(),
  altitude: z.number(),
});

export type Station = z.infer<typeof Station>;

export interface ObservatoryOptions {
  readonly heartbeatIntervalMs?: number;
  readonly heartbeatTimeoutMs?: number;
  readonly discoveryRefreshAfterMs?: number;
  readonly apiVersion?: string;
  /** @default 100 */
  readonly maxPageSize?: number;
  /** @default 100 */
  readonly reconnectMinDelayMs?: number;
  /** Which stations a principal may see. @default all */
  readonly visible?: RowRule;
  readonly encodings?: readonly ('json' | 'compact-json')[];
}

/**
 * Stations with filtered events, memos whose events carry no data, readings whose ids are integers, notices that anybody may subscribe to,
 * and an archive without events.
 */
export function defineObservatory(baseUrl: string, options: ObservatoryOptions = {}) {
  return defineImplementation({
    id: 'observatory',
    name: 'Observatory',
    apiVersion: options.apiVersion ?? '1',
    documentationUrl: `${baseUrl}/docs`,
    baseUrl,
    permissions: {
      'stations:read': 'Read stations',
      'memos:read': 'Read memos',
      'notices:read': 'Read notices',
    },
    limits: {
      maxPageSize: options.maxPageSize ?? 100,
      heartbeatIntervalMs: options.heartbeatIntervalMs ?? 10_000,
      heartbeatTimeoutMs: options.heartbeatTimeoutMs ?? 5_000,
      reconnectMinDelayMs: options.reconnectMinDelayMs ?? 100,
      reconnectMaxDelayMs: Math.max(options.reconnectMinDelayMs ?? 0, 1_000),
      discoveryRefreshAfterMs: options.discoveryRefreshAfterMs ?? 60_000,
    },
    resources: {
      stations: {
        model: Station,
        readPermissions: ['stations:read'],
        ...(options.visible && { visible: options.visible }),
        filterable: {
          '/name': 'all',
          '/region': ['eq', 'ne', 'in', 'nin'],
          '/altitude': ['eq', 'gt', 'gte', 'lt', 'lte'],
        },
        sortable: ['/name', '/altitude'],
        events: {
          'station.created': { transition: 'create' },
          'station.updated': { transition: 'update' },
          'station.deleted': { transition: 'delete' },
        },
      },
      memos: {
        model: z.strictObject({
          id: z.string(),
          text: z.string(),
          cost: z.string().meta({ format: 'decimal' }).optional(),
        }),
        readPermissions: ['memos:read'],
        filterable: { '/text': 'all', '/cost': 'all' },
        sortable: ['/cost'],
        events: {
          'memo.written': { transition: 'create', carries: 'nothing' },
          'memo.edited': { transition: 'update', carries: 'nothing' },
          'memo.deleted': { transition: 'delete', carries: 'nothing' },
        },
      },
      readings: {
        model: z.strictObject({ id: z.int(), value: z.number() }),
        readPermissions: ['stations:read'],
        filterable: { '/value': 'all' },
        events: {
          'reading.made': { transition: 'create' },
          'reading.corrected': { transition: 'update', carries: 'nothing' },
          'reading.deleted': { transition: 'delete' },
        },
      },
      notices: {
        model: z.strictObject({ id: z.string(), text: z.string() }),
        readPermissions: ['notices:read'],
        subscribePermissions: [],
        filterable: { '/text': 'all' },
        events: {
          'notice.posted': { transition: 'create' },
          'notice.edited': { transition: 'update' },
          'notice.withdrawn': { transition: 'delete' },
        },
      },
      archive: {
        model: z.strictObject({ id: z.string(), text: z.string() }),
        readPermissions: ['stations:read'],
      },
    },
  });
}

export function station(number: number, members: Partial<Station> = {}): Station {
  return {
    id: `station-${String(number).padStart(4, '0')}`,
    name: `관측소 ${number}`,
    region: ['강원', '제주', 'seoul'][number % 3] ?? '',
    altitude: (number * 37) % 500,
    ...members,
  };
}
