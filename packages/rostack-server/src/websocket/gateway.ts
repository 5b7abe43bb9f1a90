import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { DiscoveryDocument } from 'rostack-core';
import { type ServerOptions, WebSocketServer } from 'ws';
import { AuthenticatorSet } from '../auth/authenticator-set.ts';
import { guardRateLimiter } from '../guard/guard-rate-limiter.ts';
import { guardSource } from '../guard/guard-source.ts';
import { readClock } from './clock.ts';
import { Admission } from './connection/admission.ts';
import { Connection, type ConnectionOwner } from './connection/connection.ts';
import { CredentialWatch } from './connection/credential-watch.ts';
import type { GatewayContext } from './connection/gateway-context.ts';
import { RostackSocket } from './connection/rostack-socket.ts';
import { judgeUpgrade, refuseUpgrade, SUBPROTOCOL, type UpgradeRefusal } from './connection/upgrade.ts';
import { createSessionRules } from './create-session-rules.ts';
import { BufferBudget } from './delivery/buffer-budget.ts';
import { WriteRound } from './delivery/write-round.ts';
import { ForeignScopes } from './foreign-scopes.ts';
import { GatewayConfigurationError } from './gateway-configuration-error.ts';
import { DEFAULT_POLL_MS, drainOptions, gatewayOptionFaults } from './gateway-option-checks.ts';
import type { DrainOptions, GatewayStatus, WebSocketGatewayOptions } from './gateway-options.ts';
import { type GuardedCallbacks, guardCallbacks } from './guarded-callbacks.ts';
import { createEventValidator } from './hub/event-validator.ts';
import { ResourceHub } from './hub/resource-hub.ts';
import { DEFAULT_WEBSOCKET_LIMITS, type WebSocketLimits } from './websocket-limits.ts';

/** Options of `ws` 8.23 that its types do not know yet. */
interface NewerServerOptions {
  readonly maxFragments: number;
  readonly closeTimeout: number;
}

const TICK_MS = 100;
const CLOSE_TIMEOUT_MS = 5_000;
const DEFLATE_THRESHOLD_BYTES = 1_024;
const RETRY_AFTER_SECONDS = 5;

/**
 * Serves the gateway of an implementation on a server of Node: takes the upgrades to the path of
 * `endpoints.websocket`, and answers those to other paths with 404 unless another listener takes them.
 * @throws GatewayConfigurationError code `invalid_gateway_configuration`, when the options do not fit the discovery document
 * @see protocol section 7
 */
export function attachWebSocketGateway(
  server: Server | SecureServer,
  options: WebSocketGatewayOptions,
): WebSocketGateway {
  return new WebSocketGateway(server, options);
}

/** A running gateway; `drain` it before the process ends, and dispose of it. */
export class WebSocketGateway implements AsyncDisposable, ConnectionOwner {
  readonly #server: Server | SecureServer;
  readonly #options: WebSocketGatewayOptions;
  readonly #path: string;
  readonly #callbacks: GuardedCallbacks;
  readonly #context: GatewayContext;
  readonly #websockets: WebSocketServer;
  readonly #connections = new Set<Connection>();
  #stopTicking: () => void = () => {};
  readonly #upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    this.#onUpgrade(request, socket, head);
  #connectionCount = 0;
  #isDraining = false;
  #onEmpty: (() => void) | undefined;
  #recheckedAtMs: number;

  constructor(server: Server | SecureServer, options: WebSocketGatewayOptions) {
    const faults = gatewayOptionFaults(options);
    if (faults.length > 0) throw new GatewayConfigurationError(faults);
    const limits: WebSocketLimits = {
      ...DEFAULT_WEBSOCKET_LIMITS,
      ...withoutUndefined(options.limits ?? {}),
    };
    const { discovery } = options;
    this.#server = server;
    this.#options = options;
    this.#path = new URL(discovery.endpoints.websocket).pathname;
    this.#callbacks = guardCallbacks(options);
    this.#context = createContext(options, limits, this.#callbacks);
    this.#recheckedAtMs = this.#context.clock.monotonicMs();
    this.#websockets = createWebSocketServer(discovery, limits);
    this.#tickLater();
    server.on('upgrade', this.#upgrade);
  }

  get status(): GatewayStatus {
    let subscriptions = 0;
    let pausedConnections = 0;
    for (const connection of this.#connections) {
      subscriptions += connection.subscriptionCount;
      if (connection.isFull) pausedConnections += 1;
    }
    return {
      connections: this.#connections.size,
      subscriptions,
      bufferedBytes: this.#context.budget.usedBytes,
      pausedConnections,
      isDraining: this.#isDraining,
      resources: [...this.#context.hubs.values()].map((hub) => hub.status),
    };
  }

  /**
   * Refuses new connections, tells the others to go, each at its own moment of the spread, serves them until the
   * timeout and then closes them with 4410. Resolves when none is left.
   * @see protocol section 7, draining
   */
  async drain(options: DrainOptions = {}): Promise<void> {
    const fault = drainOptions(options, 'options');
    if (fault !== undefined) throw new GatewayConfigurationError([`${fault}.`]);
    const { reason = 'maintenance', drainTimeoutMs = 30_000, gatewayUrl } = options;
    const spreadMs = Math.min(options.reconnectSpreadMs ?? drainTimeoutMs / 2, drainTimeoutMs);
    const { random } = this.#callbacks;
    this.#isDraining = true;
    for (const connection of this.#connections) {
      const reconnectAfterMs = Math.floor(random() * spreadMs);
      connection.drain({ reason, reconnectAfterMs, drainTimeoutMs, gatewayUrl });
    }
    await this.#empty();
  }

  /** Ends what is left, without a drain, and stops following the logs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDraining = true;
    this.#server.off('upgrade', this.#upgrade);
    for (const connection of this.#connections) connection.terminate();
    await this.#empty();
    this.#stopTicking();
    await Promise.all([...this.#context.hubs.values()].map((hub) => hub[Symbol.asyncDispose]()));
    this.#websockets.close();
  }

  #tickLater(): void {
    this.#stopTicking = this.#context.clock.after(TICK_MS, () => this.#tick());
  }

  #tick(): void {
    this.#tickLater();
    const { clock, credentials } = this.#context;
    const at = readClock(clock);
    for (const connection of this.#connections) connection.tick(at);
    if (at.monotonicMs - this.#recheckedAtMs < (this.#options.recheckIntervalMs ?? 2_000)) return;
    this.#recheckedAtMs = at.monotonicMs;
    for (const hub of this.#context.hubs.values()) hub.checkReplay();
    void credentials.check();
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if ((this.#options.strippedPathPrefix ?? '') + pathOf(request) !== this.#path) {
      const isTakenByAnother = this.#server.listenerCount('upgrade') > 1;
      if (!isTakenByAnother) this.#refuse(socket, { status: 404, reason: 'There is no gateway here.' });
      return;
    }
    let address: string;
    let refusal: UpgradeRefusal | undefined;
    try {
      address = this.#callbacks.addressOf(request);
      refusal = this.#callbacks.refuse(request);
    } catch (error) {
      this.#context.observer.onAlarm?.({ kind: 'upgrade_failed', error });
      this.#refuse(socket, { status: 500, reason: 'Something failed here.' });
      return;
    }
    refusal ??= judgeUpgrade(request, this.#options.allowedOrigins ?? '*') ?? this.#admit(address);
    if (refusal !== undefined) {
      this.#refuse(socket, refusal);
      return;
    }
    const dismiss = (): void => this.#context.admission.dismiss(address);
    socket.once('close', dismiss);
    this.#websockets.handleUpgrade(request, socket, head, (websocket) => {
      socket.off('close', dismiss);
      this.#accept(websocket as RostackSocket, socket, address);
    });
  }

  #admit(address: string): UpgradeRefusal | undefined {
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    if (this.#isDraining) return { status: 503, reason: 'This gateway is going away.', retryAfterSeconds };
    const refusal = this.#context.admission.admit(address);
    if (refusal === undefined) return undefined;
    const status = refusal === 'too many connections' ? 503 : 429;
    return { status, reason: `There are ${refusal}.`, retryAfterSeconds };
  }

  #accept(websocket: RostackSocket, socket: Duplex, address: string): void {
    this.#connectionCount += 1;
    const connection = new Connection(this.#context, {
      id: this.#connectionCount,
      address,
      websocket,
      socket,
      compress: websocket.extensions.includes('permessage-deflate'),
      owner: this,
    });
    this.#connections.add(connection);
    this.#context.observer.onConnected?.(connection.observed);
  }

  /** @internal */
  connectionGone(connection: Connection): void {
    this.#connections.delete(connection);
    this.#context.admission.dismiss(connection.observed.address);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  #refuse(socket: Duplex, refusal: UpgradeRefusal): void {
    this.#context.observer.onUpgradeRefused?.(refusal.status, refusal.reason);
    refuseUpgrade(socket, refusal);
  }

  async #empty(): Promise<void> {
    if (this.#connections.size === 0) return;
    const previous = this.#onEmpty;
    await new Promise<void>((resolve) => {
      this.#onEmpty = () => {
        previous?.();
        resolve();
      };
    });
  }
}

function createWebSocketServer(discovery: DiscoveryDocument, limits: WebSocketLimits): WebSocketServer {
  const options: ServerOptions<typeof RostackSocket> & NewerServerOptions = {
    noServer: true,
    clientTracking: false,
    WebSocket: RostackSocket,
    maxPayload: limits.maxMessageBytes,
    maxFragments: limits.maxFragments,
    closeTimeout: CLOSE_TIMEOUT_MS,
    handleProtocols: () => SUBPROTOCOL,
    perMessageDeflate: discovery.capabilities.websocket.extensions.includes('permessage-deflate') && {
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      threshold: DEFLATE_THRESHOLD_BYTES,
    },
  };
  return new WebSocketServer(options);
}

function createContext(
  options: WebSocketGatewayOptions,
  limits: WebSocketLimits,
  { observer, clock }: GuardedCallbacks,
): GatewayContext {
  const { discovery, sources, schemas, rateLimiter } = options;

  const authenticators = new AuthenticatorSet(options.authenticators);
  const validate = schemas && createEventValidator(schemas);
  const onAlarm = observer.onAlarm ?? (() => {});
  const foreignScopes = new ForeignScopes(clock, () => onAlarm({ kind: 'cursor_keys_differ' }));
  const rules = createSessionRules(options, limits, foreignScopes);
  const hubs = new Map<string, ResourceHub>();
  for (const resource of discovery.resources) {
    const source = sources.get(resource.name);
    if (source === undefined) continue;
    const hub = new ResourceHub({
      resource,
      source: guardSource(resource.name, source),
      clock,
      data: { events: options.resources?.[resource.name]?.events, validate },
      ring: {
        maxChanges: options.ringMaxChanges ?? 4_096,
        maxBytes: options.ringMaxBytes ?? 16 * 1_048_576,
      },
      minPollMs: options.minPollMs ?? DEFAULT_POLL_MS.min,
      maxPollMs: options.maxPollMs ?? DEFAULT_POLL_MS.max,
      onAlarm,
    });
    hubs.set(resource.name, hub);
  }
  return {
    rules,
    hubs,
    authenticators,
    admission: new Admission(limits),
    credentials: new CredentialWatch({
      authenticators,
      clock,
      onFault: (method, error) => onAlarm({ kind: 'authenticator_fault', method, error }),
    }),
    clock,
    round: new WriteRound(clock),
    budget: new BufferBudget(limits.maxBufferedBytes),
    limits,
    observer,
    rateLimiter: rateLimiter && guardRateLimiter(rateLimiter),
  };
}

/** A member that is undefined counts as left out. */
function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
