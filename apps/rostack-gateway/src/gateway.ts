import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { ImplementationDefinition, ImplementedResource } from 'rostack-core';
import {
  type Authenticator,
  attachWebSocketGateway,
  createRostackApp,
  type WebSocketGateway,
} from 'rostack-server';
import { openStore, type Store } from 'rostack-store';
import { createDocumentationApp } from './documentation/documentation-app.ts';
import type { Listener } from './listener.ts';
import type { GatewaySecrets } from './secrets-file.ts';

export interface GatewayOptions {
  readonly implementation: ImplementationDefinition;
  /** Bound already; the gateway closes it. */
  readonly listener: Listener;
  /** As `openStore` of rostack-store takes it, such as `sqlite:./data/observatory.db`. */
  readonly storeUrl: string;
  readonly authenticators: readonly Authenticator[];
  readonly secrets: GatewaySecrets;
  /** Further values of `Host` that are answered, beside those of the advertised URLs. @default none */
  readonly hosts?: readonly string[];
  /** Told of unexpected errors and alarms, one line each, without secrets. @default nobody */
  readonly log?: (line: string) => void;
}

/** A server of one implementation: JSON API, WebSocket gateway, documentation and store on one listener. */
export class Gateway implements AsyncDisposable {
  readonly store: Store;
  /** The HTTP side, for requests without a socket. */
  readonly app: Hono;
  readonly #listener: Listener;
  readonly #websockets: WebSocketGateway;
  #closing: Promise<void> | undefined;

  /** Use `createGateway`. */
  constructor(store: Store, app: Hono, listener: Listener, websockets: WebSocketGateway) {
    this.store = store;
    this.app = app;
    this.#listener = listener;
    this.#websockets = websockets;
  }

  /**
   * Tells followers to go, serves them until the timeout, then closes everything; a second call waits for the first.
   * @param drainTimeoutMs how long followers may stay, in milliseconds
   */
  close(drainTimeoutMs = 10_000): Promise<void> {
    this.#closing ??= this.#close(drainTimeoutMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close(0);
  }

  async #close(drainTimeoutMs: number): Promise<void> {
    const { server } = this.#listener;
    const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await this.#websockets.drain({ drainTimeoutMs });
    await this.#websockets[Symbol.asyncDispose]();
    server.closeAllConnections();
    await isClosed;
    await this.store[Symbol.asyncDispose]();
  }
}

/** Opens the store and puts the implementation on the listener. @throws StoreOptionsError, StoreUnavailableError of rostack-store */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { implementation, listener, authenticators, secrets, log = () => {} } = options;
  const resources: readonly ImplementedResource[] = Object.values(implementation.resources);
  const store = await openStore(options.storeUrl, {
    resources: resources.map(({ name, schema, idPointer, events, filtering }) => ({
      name,
      schema,
      idPointer,
      events: [...events.values()].map((event) => ({ name: event.name, transition: event.transition })),
      filterableFields: filtering.filterable_fields,
      sortableFields: filtering.sortable_fields,
    })),
    onAlarm: (alarm) => log(`store alarm ${alarm.code}: ${alarm.message}`),
  });

  const { discovery } = implementation;
  const rostack = createRostackApp({
    implementation,
    sources: (name) => store.source(name),
    authenticators,
    cursorKeys: {
      pages: { current: { id: 1, bytes: secrets.pageCursorKey } },
      events: secrets.eventCursorKey,
    },
    hosts: [new URL(discovery.endpoints.json_api).host, ...(options.hosts ?? [])],
    cors: { origins: '*' },
    hooks: {
      onError: (error, { requestId }) => log(`request ${requestId} failed: ${describe(error)}`),
    },
  });
  const app = createDocumentationApp(discovery).route('/', rostack);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  listener.server.on('request', (request, response) => void answer(request, response));

  const websockets = attachWebSocketGateway(listener.server, {
    discovery,
    resources: implementation.resources,
    schemas: implementation.schemas,
    sources: new Map(resources.map(({ name }) => [name, store.source(name)])),
    authenticators,
    cursorKey: secrets.eventCursorKey,
    observer: { onAlarm: (alarm) => log(`gateway alarm ${alarm.kind}`) },
  });
  return new Gateway(store, app, listener, websockets);
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
