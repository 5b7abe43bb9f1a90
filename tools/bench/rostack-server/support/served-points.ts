import { createServer, type Server } from 'node:http';
import { type AnyDiscoveryDocument, defineImplementation, type JsonObject } from 'rostack-core';
import {
  attachWebSocketGateway,
  createPrincipalIdDeriver,
  createSharedToken,
  createSharedTokenAuthenticator,
  MemorySharedTokenStore,
} from 'rostack-server';
import { openStore, type Store } from 'rostack-store';
import { z } from 'zod';
import { listen } from '../../support/listen.ts';
import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';
import { greetingsFor } from '../../support/sockets/greetings.ts';

const BASE_URL = 'https://observatory.example';
const KEY = new Uint8Array(32).fill(1);
const MANY = { burst: 1_000_000, perSecond: 1_000_000 };
const ANY_NUMBER = Number.MAX_SAFE_INTEGER;

const Point = z.strictObject({ id: z.string(), region: z.string(), value: z.number(), note: z.string() });

export function point(id: string, value: number, note = ''): JsonObject {
  return { id, region: `region-${value % 400}`, value, note };
}

/** The gateway of rostack-server alone, over a real store, in this process. */
export interface ServedPoints extends AsyncDisposable {
  readonly store: Store;
  readonly discovery: AnyDiscoveryDocument;
  readonly port: number;
  put(...records: readonly JsonObject[]): Promise<void>;
  /** How clients connect that authenticate and, where given, subscribe. */
  plan(connections: number, subscribe?: object): SinkPlan;
}

export interface ServedPointsOptions {
  /** @default false */
  readonly compression?: boolean;
  /** On which it serves; closed with the gateway. @default one of plain HTTP */
  readonly server?: Server;
  /** Of PostgreSQL. @default that of the store */
  readonly schema?: string;
}

export async function servePoints(
  storeUrl = 'sqlite::memory:',
  { compression = false, server = createServer(), schema }: ServedPointsOptions = {},
): Promise<ServedPoints> {
  const implementation = defineImplementation({
    id: 'bench',
    name: 'Bench',
    apiVersion: '1',
    documentationUrl: BASE_URL,
    baseUrl: BASE_URL,
    permissions: { 'points:read': 'Read points' },
    compression,
    // The clients answer no ping, and what is counted are events alone.
    limits: { heartbeatIntervalMs: 3_600_000 },
    resources: {
      points: {
        model: Point,
        readPermissions: ['points:read'],
        filterable: { '/region': ['eq', 'in', 'gt'], '/value': ['eq', 'gt'] },
        eventFiltering: true,
        events: {
          'point.created': { transition: 'create' },
          'point.changed': { transition: 'update' },
          'point.deleted': { transition: 'delete' },
        },
      },
    },
  });
  const { discovery } = implementation;
  const store: Store = await openStore({
    url: storeUrl,
    implementation,
    ...(schema !== undefined && { schema }),
  });
  const { token, tokenId, verifier } = createSharedToken();
  const tokens = new MemorySharedTokenStore([
    { tokenId, verifier, subject: 'bench', grants: ['points:read'] },
  ]);
  const gateway = attachWebSocketGateway(server, {
    implementation,
    sources: (name) => store.source(name),
    authenticators: [
      createSharedTokenAuthenticator({ store: tokens, principalId: createPrincipalIdDeriver(KEY) }),
    ],
    cursorKeys: { pages: { current: { id: 1, bytes: KEY } }, events: KEY },
    hosts: 'any',
    limits: {
      maxConnections: ANY_NUMBER,
      maxConnectionsPerAddress: ANY_NUMBER,
      maxConnectionsPerPrincipal: ANY_NUMBER,
      maxSubscriptions: ANY_NUMBER,
      messageRate: MANY,
      subscribeRate: MANY,
    },
  });
  const port = await listen(server);
  return {
    store,
    discovery,
    port,
    put: async (...records) => {
      await store.apply(records.map((record) => ({ op: 'put', resource: 'points', record })));
    },
    plan: (connections, subscribe) => ({
      port,
      path: new URL(discovery.endpoints.websocket).pathname,
      connections,
      ...greetingsFor(token, 'points', subscribe),
    }),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await new Promise((resolve) => server.close(resolve));
      await store[Symbol.asyncDispose]();
    },
  };
}
