import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { ImplementationDefinition, ImplementedResource } from 'rostack-core';
import {
  type Authenticator,
  attachWebSocketGateway,
  createRateLimiter,
  createRostackApp,
  type GatewayObserver,
  type GatewayStatus,
  type HttpHooks,
  type WebSocketGateway,
} from 'rostack-server';
import type { Store } from 'rostack-store';
import { holdRunLock, sqliteFileOf } from './backup/run-lock.ts';
import { checkServedDocument } from './compatibility/served-document.ts';
import { defineConfigured } from './config/configured-implementation.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { type ConfiguredStore, openConfiguredStore } from './configured-store.ts';
import { createExplorerApp } from './explorer/create-explorer-app.ts';
import { gatewayKeys } from './gateway-keys.ts';
import { judgeConnection } from './judge-connection.ts';
import { type Listener, listen } from './listener.ts';
import { combineHooks, combineObservers } from './observe/combine.ts';
import { Operations } from './operations.ts';
import type { GatewaySecrets } from './secrets-file.ts';
import { configuredAuthenticators } from './token/configured-authenticators.ts';
import { TrustedProxies } from './trusted-proxies.ts';

/** How often connections that have become idle are closed while requests under way end. */
const IDLE_LOOK_MS = 50;

/** What a gateway takes from outside beside its configuration. */
export interface GatewayDependencies {
  /** Told of unexpected errors and alarms, one line each, without secrets. @default nobody */
  readonly log?: (line: string) => void;
  /** Told of everything: requests, connections, alarms, errors. Give it a scrubber: see `createLogger`. @default nobody */
  readonly logger?: Logger;
  /** Told of each HTTP request and each error behind one. @default `log`, of errors */
  readonly hooks?: HttpHooks;
  /** Told of WebSocket connections and alarms. @default `log`, of alarms */
  readonly observer?: GatewayObserver;
  /** Ways to authenticate beside those of the configuration; their methods have to be switched on there. @default none */
  readonly authenticators?: readonly Authenticator[];
}

/** What a gateway is made of once it runs. */
interface GatewayParts {
  readonly config: GatewayConfig;
  readonly baseUrl: string;
  readonly implementation: ImplementationDefinition;
  readonly listener: Listener;
  readonly store: ConfiguredStore;
  readonly app: Hono;
  readonly websockets: WebSocketGateway;
  readonly operations: Operations;
  readonly runLock: Disposable | undefined;
}

/** A server of one implementation: JSON API, WebSocket gateway, documentation and store on the data listener. */
export class Gateway implements AsyncDisposable {
  readonly #parts: GatewayParts;
  #closing: Promise<void> | undefined;

  /** Use `createGateway`. */
  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  get store(): Store {
    return this.#parts.store.store;
  }

  /** The HTTP side, for requests without a socket. */
  get app(): Hono {
    return this.#parts.app;
  }

  get implementation(): ImplementationDefinition {
    return this.#parts.implementation;
  }

  /** Where the gateway says that it is: `public_url`, or localhost and the port. No slash at the end. */
  get url(): string {
    return this.#parts.baseUrl;
  }

  /** Port that the data listener is bound to. */
  get port(): number {
    return this.#parts.listener.port;
  }

  /** Port that the admin listener is bound to; undefined: there is none. */
  get adminPort(): number | undefined {
    return this.#parts.operations.adminPort;
  }

  /** File of the development certificate, for `curl --cacert`; undefined with any other. */
  get developmentCertificatePath(): string | undefined {
    return this.#parts.listener.developmentCertificatePath;
  }

  /** Connections and subscriptions of the WebSocket gateway. */
  get status(): GatewayStatus {
    return this.#parts.websockets.status;
  }

  /** Reads the certificate files again; the old certificate stays in use when they cannot be used. */
  reloadCertificate(): Promise<void> {
    return this.#parts.listener.reloadCertificate();
  }

  /**
   * Tells followers to go, serves them until the timeout, then closes everything; a second call waits for the first.
   * @param drainTimeoutMs how long followers may stay, in milliseconds; by default `shutdown.drain_time`
   */
  close(drainTimeoutMs = this.#parts.config.shutdown.drainTimeMs): Promise<void> {
    this.#closing ??= this.#close(drainTimeoutMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close(0);
  }

  async #close(drainTimeoutMs: number): Promise<void> {
    const { listener, websockets, store, operations, runLock } = this.#parts;
    const { server } = listener;
    const deadlineMs = performance.now() + drainTimeoutMs;
    operations.drains();
    listener.stopWatching();
    const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await websockets.drain({ drainTimeoutMs });
    await websockets[Symbol.asyncDispose]();
    await finishRequests(server, isClosed, deadlineMs);
    server.closeAllConnections();
    await isClosed;
    await operations[Symbol.asyncDispose]();
    await store.close();
    runLock?.[Symbol.dispose]();
  }
}

/** Lets the requests under way end, until the deadline. */
async function finishRequests(
  server: Listener['server'],
  isClosed: Promise<void>,
  deadlineMs: number,
): Promise<void> {
  const closed = new AbortController();
  void isClosed.then(() => closed.abort());
  while (!closed.signal.aborted && performance.now() < deadlineMs) {
    server.closeIdleConnections();
    await Promise.race([isClosed, delay(IDLE_LOOK_MS)]);
  }
}

/**
 * Binds the data listener, opens the store and serves what the configuration describes.
 * @throws PortInUseError, CertificateError, SecretsFileError, BreakingChangeError, DatabaseInUseError; StoreOptionsError, StoreUnavailableError, SchemaTooNewError of rostack-store
 */
export async function createGateway(
  config: GatewayConfig,
  dependencies: GatewayDependencies = {},
): Promise<Gateway> {
  const { logger, log = (line: string) => logger?.warn(line) } = dependencies;
  const keys = await gatewayKeys(config);
  const listener = await listen(config.listeners.data, { dataDir: config.dataDir, log });
  let store: ConfiguredStore | undefined;
  let operations: Operations | undefined;
  let runLock: Disposable | undefined;
  try {
    const baseUrl = config.publicUrl ?? `https://localhost:${listener.port}`;
    const implementation = defineConfigured(config, baseUrl);
    operations = await Operations.start(config, implementation, logger);
    const databaseFile = sqliteFileOf(config.store.url);
    runLock = databaseFile === undefined ? undefined : holdRunLock(databaseFile);
    store = await openConfiguredStore(config, Object.values(implementation.resources), log);
    operations.opened(store.store);
    await checkServedDocument(store.store, implementation, { ...config.compatibility, log });
    const serving = await serve({
      config,
      dependencies,
      keys,
      listener,
      implementation,
      store: store.store,
      operations,
      log,
    });
    operations.serves(() => serving.websockets.status);
    return new Gateway({
      config,
      baseUrl,
      implementation,
      listener,
      store,
      operations,
      runLock,
      ...serving,
    });
  } catch (error) {
    listener.stopWatching();
    listener.server.close();
    await operations?.[Symbol.asyncDispose]();
    await store?.close();
    runLock?.[Symbol.dispose]();
    throw error;
  }
}

interface ServingParts {
  readonly config: GatewayConfig;
  readonly dependencies: GatewayDependencies;
  readonly keys: GatewaySecrets;
  readonly listener: Listener;
  readonly implementation: ImplementationDefinition;
  readonly store: Store;
  readonly operations: Operations;
  readonly log: (line: string) => void;
}

/** Puts the HTTP side and the WebSocket gateway on the listener. */
async function serve(
  parts: ServingParts,
): Promise<{ readonly app: Hono; readonly websockets: WebSocketGateway }> {
  const { config, dependencies, keys, listener, implementation, store, operations, log } = parts;
  const { discovery } = implementation;
  const { listeners, browsers } = config;
  const authenticators = [
    ...configuredAuthenticators(config, { tokens: store.tokens, principalIdKey: keys.principalIdKey, log }),
    ...(dependencies.authenticators ?? []),
  ];
  const proxies = new TrustedProxies(listeners.data.trustedProxies);
  const rostack = createRostackApp({
    implementation,
    sources: (name) => operations.tracedSource(store.source(name), name),
    authenticators,
    cursorKeys: { pages: { current: { id: 1, bytes: keys.pageCursorKey } }, events: keys.eventCursorKey },
    hosts: [
      new URL(discovery.endpoints.json_api).host,
      ...listeners.data.hosts,
      ...loopbackHosts(config, listener),
    ],
    strippedPathPrefix: listeners.data.strippedPathPrefix,
    cors: { origins: browsers.corsOrigins, maxAgeSeconds: Math.round(browsers.corsMaxAgeMs / 1_000) },
    rateLimiter: await createRateLimiter(config.rates),
    clientAddress: (c) => {
      const env: { readonly incoming?: IncomingMessage } | undefined = c.env;
      return env?.incoming && proxies.addressOf(env.incoming);
    },
    hooks: combineHooks(
      operations.hooks,
      dependencies.hooks ?? {
        onError: (error, { requestId }) => {
          if (dependencies.logger === undefined) log(`request ${requestId} failed: ${describe(error)}`);
        },
      },
    ),
  });
  const { middleware } = operations;
  const site = createExplorerApp(implementation, {
    strippedPathPrefix: listeners.data.strippedPathPrefix,
  }).route('/', rostack);
  const app = middleware === undefined ? site : new Hono().use(middleware).route('/', site);

  const judge = judgeConnection(listeners.data.tls, proxies);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  listener.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = judge(request);
    if (refusal === undefined) void answer(request, response);
    else
      response
        .writeHead(refusal.status, { 'Content-Type': 'text/plain; charset=utf-8' })
        .end(`${refusal.reason}\n`);
  });

  const resources: readonly ImplementedResource[] = Object.values(implementation.resources);
  const { limits, rates } = config;
  const websockets = attachWebSocketGateway(listener.server, {
    discovery,
    resources: implementation.resources,
    schemas: implementation.schemas,
    sources: new Map(resources.map(({ name }) => [name, store.source(name)])),
    authenticators,
    cursorKey: keys.eventCursorKey,
    strippedPathPrefix: listeners.data.strippedPathPrefix,
    allowedOrigins: browsers.websocketOrigins,
    addressOf: (request) => proxies.addressOf(request) ?? '',
    refuse: judge,
    limits: {
      maxConnections: limits.maxConnections,
      maxConnectionsPerAddress: limits.maxConnectionsPerAddress,
      maxConnectionsPerPrincipal: limits.maxConnectionsPerPrincipal,
      maxMessageBytes: limits.maxMessageBytes,
      maxSubscriptions: limits.maxSubscriptions,
      messageRate: rates.messages,
      subscribeRate: rates.subscribes,
    },
    observer: combineObservers(
      operations.observer,
      dependencies.observer ?? {
        onAlarm: ({ kind }) => {
          if (dependencies.logger === undefined) log(`gateway alarm ${kind}`);
        },
      },
    ),
  });
  return { app, websockets };
}

/** A development certificate is for 127.0.0.1 and ::1 too. */
function loopbackHosts({ listeners }: GatewayConfig, { port }: Listener): string[] {
  return listeners.data.tls.mode === 'development' ? [`127.0.0.1:${port}`, `[::1]:${port}`] : [];
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
