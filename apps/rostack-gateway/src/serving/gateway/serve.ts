import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { ImplementationDefinition } from 'rostack-core';
import { createExplorer } from 'rostack-explorer';
import {
  type AllowedOrigins,
  type Authenticator,
  answerRefusal,
  attachWebSocketGateway,
  createRateLimiter,
  createRostackApp,
  faultOfRequest,
  type OwnedRateLimiter,
  type Refusal,
  type ServedHooks,
  type ServedOptions,
  type ServerKeys,
  type SharingOptions,
  type WebSocketGateway,
} from 'rostack-server';
import type { Store } from 'rostack-store';
import type { LogFollowing } from '../../cluster/peers/follow-logs.ts';
import type { Peers } from '../../cluster/peers/peers.ts';
import { configuredRenderers } from '../../config/model/configured-implementation.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import { combineHooks } from '../../observe/hooks.ts';
import type { Listener } from '../listener/listener.ts';
import { judgeConnection, TrustedProxies } from '../listener/trusted-proxies.ts';
import { configuredAuthenticators, type SharedTokens, USE_RESOLUTION_MS } from '../token/authenticators.ts';
import { descriptionRoutes } from './description-routes.ts';
import type { Operations } from './operations.ts';

/** Everything that serving needs. */
export interface ServingParts {
  readonly config: GatewayConfig;
  readonly dependencies: GatewayDependencies;
  readonly keys: ServerKeys;
  readonly listener: Listener;
  readonly implementation: ImplementationDefinition;
  readonly store: Store;
  readonly operations: Operations;
  /** The other processes that serve the same, and next the logs as the lead reports them; both undefined if there are none. */
  readonly machine: Peers | undefined;
  readonly followed: LogFollowing | undefined;
  readonly log: (line: string) => void;
}

/** What the HTTP side and the WebSocket gateway share. */
interface Shared {
  readonly served: Omit<ServedOptions, 'store' | 'sources'>;
  readonly proxies: TrustedProxies;
  readonly judge: (request: IncomingMessage) => Refusal | undefined;
}

/** Characters shown of an entry of `X-Forwarded-For` in the log. */
const SHOWN_CHARACTERS = 100;

/** The outer server decides about TLS, so each connection is checked for it. */
const HANDED_ON = { mode: 'outside' } as const;

/** Installs the HTTP side and the WebSocket gateway on the listener. */
export function serve(parts: ServingParts): {
  readonly app: Hono;
  readonly websockets: WebSocketGateway;
  readonly rateLimiter: OwnedRateLimiter;
} {
  const { config, dependencies, keys, listener, implementation, log } = parts;
  const { trustedProxies, tls } = config.listeners.data;
  const proxies = new TrustedProxies(trustedProxies, (entry) =>
    log(
      `X-Forwarded-For has ${JSON.stringify(entry.slice(0, SHOWN_CHARACTERS))}, which is not an address: all clients behind such entries share one budget; let the proxy write the client's address`,
    ),
  );
  const { principalId, cursorKeys } = keys;
  const rateLimiter = createConfiguredRateLimiter(parts);
  const shared: Shared = {
    served: {
      implementation,
      authenticators: [
        ...configuredAuthenticators(config, { tokens: notedTokens(parts), principalId, log }),
        ...(dependencies.authenticators ?? []),
      ],
      cursorKeys,
      hosts: servedHosts(parts),
      strippedPathPrefix: config.listeners.data.strippedPathPrefix,
      rateLimiter,
      hooks: servedHooks(parts),
    },
    proxies,
    judge: judgeConnection(dependencies.listen === false ? HANDED_ON : tls, proxies),
  };
  const app = createHttpApp(parts, shared);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  listener.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = shared.judge(request) ?? faultOfRequest(request);
    if (refusal === undefined) void answer(request, response);
    else answerRefusal(response, refusal);
  });
  return { app, websockets: attachWebSockets(parts, shared), rateLimiter };
}

/** Tokens whose uses are recorded; only the lead writes them to the database, for all processes. */
function notedTokens({ store: { tokens }, machine, log }: ServingParts): SharedTokens {
  const noteUse = (tokenId: string) => tokens.noteUse(tokenId, USE_RESOLUTION_MS);
  if (machine === undefined) return tokens;
  machine.onUse((tokenId) => {
    noteUse(tokenId).catch((error: unknown) =>
      log(`the last use of token ${tokenId} is not kept: ${describe(error)}`),
    );
  });
  return {
    find: (tokenId) => tokens.find(tokenId),
    noteUse: machine.isLead ? noteUse : async (tokenId) => machine.tellUse(tokenId),
  };
}

function createConfiguredRateLimiter(parts: ServingParts): OwnedRateLimiter {
  const { config, store, operations, machine, log } = parts;
  const { isShared, perAddress, perPrincipal, failuresPerAddress } = config.rates;
  const budgets = { perAddress, perPrincipal, failuresPerAddress };
  const counters = isShared ? store.rates : machine?.counters;
  if (counters === undefined) return createRateLimiter(budgets);
  return createRateLimiter({
    ...budgets,
    shared: {
      counters,
      onAlone: (error) => {
        operations.countsAlone = true;
        const message = `this gateway counts alone for now: ${describe(error)}`;
        operations.takeAlarm('rates_not_shared', message);
        log(`gateway alarm rates_not_shared: ${message}`);
      },
      onShared: () => {
        operations.countsAlone = false;
        log('rates are counted together with other gateways again');
      },
    },
  });
}

/** The hooks for the operator, and those of the program that runs the gateway. */
function servedHooks({ dependencies, operations, log }: ServingParts): ServedHooks {
  const logged: ServedHooks = {
    onError: (error, { requestId }) => log(`request ${requestId} failed: ${describe(error)}`),
    onAlarm: ({ kind }) => log(`gateway alarm ${kind}`),
  };
  const { logger, hooks } = dependencies;
  return combineHooks(operations.hooks, { ...(logger === undefined && logged), ...hooks });
}

function createHttpApp(parts: ServingParts, { served, proxies }: Shared): Hono {
  const { config, listener, implementation, store, operations } = parts;
  const { browsers } = config;
  const { strippedPathPrefix } = config.listeners.data;
  const baseUrl = config.publicUrl ?? `https://localhost:${listener.port}`;
  const sharing = configuredSharing(parts, baseUrl);
  const rostack = createRostackApp({
    ...served,
    ...(sharing !== undefined && { sharing }),
    sources: (name) => operations.tracedSource(store.source(name), name),
    renderers: configuredRenderers(config),
    cors: { origins: browsers.corsOrigins, maxAgeSeconds: Math.round(browsers.corsMaxAgeMs / 1_000) },
    clientAddress: (c) => {
      const env: { readonly incoming?: IncomingMessage } | undefined = c.env;
      return env?.incoming && proxies.addressOf(env.incoming);
    },
  });
  const { middleware } = operations;
  const site = new Hono()
    .route('/', descriptionRoutes(implementation, { ...config, baseUrl, strippedPathPrefix }))
    .route('/', withExplorer(implementation, strippedPathPrefix))
    .route('/', rostack)
    .notFound((c) => rostack.fetch(c.req.raw, c.env));
  return middleware === undefined ? site : new Hono().use(middleware).route('/', site);
}

/** Path below the public URL at which a cache asks which clients may share a response. */
const AUDIENCE_PATH = '/audience';

/** Undefined if no resource is shared. */
function configuredSharing(
  { config, dependencies, keys, store, log }: ServingParts,
  baseUrl: string,
): SharingOptions | undefined {
  const resources = Object.entries(config.resources).flatMap(([name, { share }]) =>
    share === 'cohort' ? [name] : [],
  );
  if (resources.length === 0) return undefined;
  const { principalId } = keys;
  return {
    resources,
    audiencePath: `${new URL(baseUrl).pathname.replace(/\/$/, '')}${AUDIENCE_PATH}`,
    authenticators: [
      ...configuredAuthenticators(config, { tokens: store.tokens, principalId, tokenCacheMs: 0, log }),
      ...(dependencies.authenticators ?? []),
    ],
  };
}

/** Serves the explorer at the path of `documentation_url`. */
function withExplorer(implementation: ImplementationDefinition, strippedPathPrefix: string): Hono {
  const { pathname } = new URL(implementation.discovery.implementation.documentation_url);
  if (!pathname.startsWith(strippedPathPrefix)) return new Hono();
  const path = pathname.slice(strippedPathPrefix.length) || '/';
  return new Hono().route(path, createExplorer({ implementation, publicPath: pathname }));
}

function attachWebSockets(parts: ServingParts, { served, proxies, judge }: Shared): WebSocketGateway {
  const { config, listener, store, machine, followed } = parts;
  const { browsers, limits, rates } = config;
  return attachWebSocketGateway(listener.server, {
    ...served,
    sources: (name) => followed?.source(name) ?? store.source(name),
    ...(machine && { sharedConnectionLimits: machine.sharedConnectionLimits }),
    allowedOrigins: withOwnOrigins(browsers.websocketOrigins, parts),
    clientAddress: (request) => proxies.addressOf(request) ?? '',
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
  });
}

/** Adds the origins from which the explorer opens its WebSocket: the documentation's, and by plain HTTP those of this computer. */
function withOwnOrigins(
  origins: AllowedOrigins,
  { config, listener, implementation }: ServingParts,
): AllowedOrigins {
  if (origins === '*') return origins;
  const own = new URL(implementation.discovery.implementation.documentation_url).origin;
  const isPlain = config.listeners.data.tls.mode === 'loopback';
  const local = isPlain ? loopbackHosts(config, listener).map((host) => `http://${host}`) : [];
  return [...origins, own, ...local];
}

/** The advertised host, those of the configuration, and loopback if the certificate covers it. */
function servedHosts({ config, listener, implementation }: ServingParts): string[] {
  const { host } = new URL(implementation.discovery.endpoints.json_api);
  return [host, ...config.listeners.data.hosts, ...loopbackHosts(config, listener)];
}

/** A development certificate also covers 127.0.0.1 and ::1, and plain HTTP only serves these. */
function loopbackHosts({ listeners }: GatewayConfig, { port }: Listener): string[] {
  const { mode } = listeners.data.tls;
  if (mode !== 'development' && mode !== 'loopback') return [];
  return [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`];
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** What a program can pass to a gateway in addition to its configuration. */
export interface GatewayDependencies {
  /**
   * Called with unexpected errors and alarms, one line each, without secrets; its own errors go to `process.emitWarning`.
   * @default not called
   */
  readonly log?: (line: string) => void;
  /** Logs requests, connections, alarms and errors. It has to scrub secrets: see `createLogger`. @default none */
  readonly logger?: Logger;
  /**
   * Called for each HTTP request and each error behind one, for WebSocket connections and alarms.
   * @default `log`, as `onError` and as `onAlarm`, unless there is a logger
   */
  readonly hooks?: ServedHooks;
  /**
   * If false, no data listener is bound, and a server of yours passes requests and upgrades to `handle` and `upgrade` of the gateway.
   * `public_url` is required then.
   * @default true
   */
  readonly listen?: boolean;
  /** Additional ways to authenticate; their methods have to be enabled in the configuration. @default none */
  readonly authenticators?: readonly Authenticator[];
}
