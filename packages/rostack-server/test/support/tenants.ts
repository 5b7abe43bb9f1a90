import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  defineImplementation,
  type JsonObject,
  parseRowRule,
  type RecordSource,
  type RowRule,
} from 'rostack-core';
import {
  attachWebSocketGateway,
  createPrincipalIdDeriver,
  createRostackApp,
  createSharedToken,
  createSharedTokenAuthenticator,
  type ErrorContext,
  MemorySharedTokenStore,
  type WebSocketGateway,
} from 'rostack-server';
import { openStore, type Store, type StoreSettings } from 'rostack-store';
import { z } from 'zod';
import { SYSTEM_CLOCK } from '../../src/websocket/options/clock.ts';
import { CURSOR_KEYS } from './cursor-keys.ts';
import { GatewayClient } from './gateway-client.ts';
import { Unfinished } from './unfinished.ts';

const BASE_URL = 'https://bookings.example';
const GRANTS = ['bookings:read', 'halls:read'];

/** Shows the bookings of the tenant in the claims. */
export const OF_TENANT = parseRowRule({ '/tenant': { eq: { principal: 'claims.tenant' } } }).rule;

const Booking = z.strictObject({
  id: z.string(),
  tenant: z.string(),
  seats: z.int(),
  hall: z.string().optional(),
});

export const defineBookings = (visible: RowRule = OF_TENANT) =>
  defineImplementation({
    id: 'bookings',
    name: 'Bookings',
    apiVersion: '1',
    documentationUrl: BASE_URL,
    baseUrl: BASE_URL,
    permissions: { 'bookings:read': 'Read bookings', 'halls:read': 'Read halls' },
    limits: { maxPageSize: 100 },
    resources: {
      bookings: {
        model: Booking,
        readPermissions: ['bookings:read'],
        filterable: { '/seats': 'all', '/hall': 'all' },
        sortable: ['/seats'],
        visible: { rule: visible, fields: [{ pointer: '/tenant', operator: 'eq' }] },
        events: {
          'booking.created': { transition: 'create' },
          'booking.updated': { transition: 'update' },
          'booking.deleted': { transition: 'delete' },
        },
      },
      halls: {
        model: z.strictObject({ id: z.string() }),
        readPermissions: ['halls:read'],
        events: { 'hall.created': { transition: 'create' } },
      },
    },
  });

export interface TenantsOptions {
  readonly storeUrl?: string;
  readonly store?: StoreSettings;
  /** @default OF_TENANT */
  readonly visible?: RowRule;
  readonly wrapSource?: (source: RecordSource) => RecordSource;
  readonly recheckIntervalMs?: number;
}

export interface Claims {
  readonly tenant?: string;
  readonly tenants?: readonly string[];
  readonly grants?: readonly string[];
}

interface Parts {
  readonly store: Store;
  readonly server: Server;
  readonly gateway: WebSocketGateway;
  readonly port: number;
  readonly unfinished: Unfinished;
}

/** Bookings of several tenants, served over HTTP and WebSocket on a port of its own. */
export class Tenants implements AsyncDisposable {
  readonly tokens: MemorySharedTokenStore;
  /** What went wrong behind internal errors. */
  readonly errors: { readonly error: unknown; readonly context: ErrorContext }[];
  readonly #parts: Parts;

  private constructor(tokens: MemorySharedTokenStore, errors: Tenants['errors'], parts: Parts) {
    this.tokens = tokens;
    this.errors = errors;
    this.#parts = parts;
  }

  static async start({
    storeUrl = 'sqlite::memory:',
    store: storeOptions,
    visible,
    wrapSource = (source) => source,
    recheckIntervalMs = 100,
  }: TenantsOptions = {}): Promise<Tenants> {
    const implementation = defineBookings(visible);
    const store = await openStore({ url: storeUrl, implementation, ...storeOptions });
    const tokens = new MemorySharedTokenStore();
    const errors: Tenants['errors'] = [];
    const authenticators = [
      createSharedTokenAuthenticator({
        store: tokens,
        principalId: createPrincipalIdDeriver(new Uint8Array(32)),
        cacheMs: 0,
      }),
    ];
    const app = createRostackApp({
      implementation,
      sources: (name) => wrapSource(store.source(name)),
      authenticators,
      cursorKeys: CURSOR_KEYS,
      hosts: 'any',
      hooks: { onError: (error, context) => errors.push({ error, context }) },
    });
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const server = createServer((request, response) => void answer(request, response));
    const unfinished = new Unfinished();
    const gateway = attachWebSocketGateway(server, {
      implementation,
      sources: (name) => unfinished.source(name, wrapSource(store.source(name))),
      clock: unfinished.clock(SYSTEM_CLOCK),
      authenticators,
      cursorKeys: CURSOR_KEYS,
      hosts: 'any',
      recheckIntervalMs,
      minPollMs: 20,
      maxPollMs: 100,
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new Tenants(tokens, errors, { store, server, gateway, port, unfinished });
  }

  get store(): Store {
    return this.#parts.store;
  }

  get gateway(): WebSocketGateway {
    return this.#parts.gateway;
  }

  /** A token of a principal; the same one with other claims where its text is given. */
  issue(subject: string, claims: Claims, before?: IssuedToken): IssuedToken {
    const { token, tokenId, verifier } = before ?? createSharedToken();
    const { grants = GRANTS, ...rest } = claims;
    this.tokens.put({ tokenId, verifier, subject, grants, claims: rest });
    return { token, tokenId, verifier };
  }

  fetch(path: string, token: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
    return fetch(`http://127.0.0.1:${this.#parts.port}/api/${path}`, {
      method,
      headers: { authorization: `Rostack-Token ${token}`, ...headers },
    });
  }

  async list(token: string, query = ''): Promise<BookingPage> {
    const response = await this.fetch(`bookings${query}`, token);
    const body = (await response.json()) as BookingPage;
    if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(body)}`);
    return body;
  }

  connect(): Promise<GatewayClient> {
    return GatewayClient.connect(`ws://127.0.0.1:${this.#parts.port}/gateway`);
  }

  /** A client that is connected and authenticated. */
  async client(token: string): Promise<GatewayClient> {
    const client = await this.connect();
    await client.authenticate(token);
    return client;
  }

  async put(...bookings: readonly JsonObject[]): Promise<void> {
    await this.store.apply(bookings.map((record) => ({ op: 'put', resource: 'bookings', record })));
  }

  async remove(...ids: readonly string[]): Promise<void> {
    await this.store.apply(ids.map((id) => ({ op: 'delete', resource: 'bookings', id })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { gateway, server, store, unfinished } = this.#parts;
    await gateway[Symbol.asyncDispose]();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await store[Symbol.asyncDispose]();
    unfinished.check(gateway, server);
  }
}

export type IssuedToken = ReturnType<typeof createSharedToken>;

export interface BookingPage {
  readonly items: readonly { readonly id: string; readonly tenant: string; readonly seats: number }[];
  readonly page: {
    readonly next_cursor: string | null;
    readonly has_more: boolean;
    readonly event_cursor: string;
  };
}

export const booking = (id: string, tenant: string, seats = 1): JsonObject => ({ id, tenant, seats });
