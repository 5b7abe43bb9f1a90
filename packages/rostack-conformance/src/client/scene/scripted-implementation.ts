import { defineImplementation, type ImplementationDefinition, type Release } from 'rostack-core';

/** What the scripted server says about itself. */
export interface ScriptedOptions {
  /** @default '2026-08-13' */
  readonly release?: Release;
  /** @default '1' */
  readonly apiVersion?: string;
  /** Records on one page. @default 2 */
  readonly maxPageSize?: number;
  /** @default 30_000 */
  readonly heartbeatMs?: number;
  /** The longest wait that a client may choose itself. @default RECONNECT_MAX_MS */
  readonly reconnectMaxMs?: number;
  /** @default 60_000 */
  readonly discoveryRefreshAfterMs?: number;
  /** Whether events carry the record. @default true */
  readonly eventsCarryRecords?: boolean;
}

/** The one resource that is followed. */
export const RESOURCE = 'things';
/** The shortest wait between two connections. */
export const RECONNECT_MIN_MS = 100;
/** The longest wait that a client may choose itself, as short as the protocol allows. */
export const RECONNECT_MAX_MS = 1_000;

/** The implementation that a client under test sees: it has the shortest delays that the protocol allows, to keep a run short. */
export function scriptedImplementation(baseUrl: string, options: ScriptedOptions): ImplementationDefinition {
  const carries = options.eventsCarryRecords === false ? 'nothing' : 'record';
  const heartbeatMs = options.heartbeatMs ?? 30_000;
  return defineImplementation({
    release: options.release ?? '2026-08-13',
    id: 'scripted',
    name: 'Scripted server',
    apiVersion: options.apiVersion ?? '1',
    documentationUrl: `${baseUrl}/docs`,
    baseUrl,
    permissions: { 'things:read': 'Read things' },
    limits: {
      maxPageSize: options.maxPageSize ?? 2,
      heartbeatIntervalMs: heartbeatMs,
      heartbeatTimeoutMs: heartbeatMs,
      reconnectMinDelayMs: RECONNECT_MIN_MS,
      reconnectMaxDelayMs: options.reconnectMaxMs ?? RECONNECT_MAX_MS,
      discoveryRefreshAfterMs: options.discoveryRefreshAfterMs ?? 60_000,
    },
    resources: {
      [RESOURCE]: {
        model: {
          type: 'object',
          properties: { id: { type: 'string' }, value: { type: 'number' } },
          required: ['id', 'value'],
          additionalProperties: false,
        },
        readPermissions: ['things:read'],
        filterable: { '/value': 'all' },
        sortable: ['/value'],
        events: {
          'thing.created': { transition: 'create', carries },
          'thing.updated': { transition: 'update', carries },
          'thing.deleted': { transition: 'delete', carries },
        },
      },
    },
  });
}
