import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import {
  checkOptions,
  expecting,
  type ImplementationTypes,
  OptionsError,
  objectWith,
  withDefaults,
} from 'rostack-core';
import { Connection, type ConnectionOwner } from './connection/connection.ts';
import type { GatewayContext } from './connection/gateway-context.ts';
import { type AcceptedUpgrade, UpgradeListener } from './connection/upgrade-listener.ts';
import { createGatewayContext } from './create-gateway-context.ts';
import { readClock } from './options/clock.ts';
import { drainOptions, gatewayOptionFaults, REFUSED } from './options/gateway-option-checks.ts';
import {
  DRAIN_OPTIONS,
  type DrainOptions,
  GATEWAY_NUMBERS,
  type GatewayStatus,
  type WebSocketGatewayOptions,
} from './options/gateway-options.ts';
import { guardCallbacks } from './options/guarded-callbacks.ts';

const TICK_MS = 100;
const DRAIN_REFUSED = 'The gateway cannot drain';

const aServer = expecting(
  'a server of node:http or node:https',
  (value) => objectWith('on', 'off', 'listenerCount')(value, '') === undefined,
);

/**
 * Serves the gateway of an implementation on a Node server: takes the upgrades to the path of `endpoints.websocket`, and answers those to
 * other paths with 404 unless another listener takes them.
 * @throws OptionsError `invalid_options`, if the options do not fit the discovery document
 * @see protocol section 7
 */
export function attachWebSocketGateway<Types extends ImplementationTypes = ImplementationTypes>(
  server: Server | SecureServer,
  options: WebSocketGatewayOptions<Types>,
): WebSocketGateway;
export function attachWebSocketGateway(
  server: Server | SecureServer,
  options: WebSocketGatewayOptions,
): WebSocketGateway {
  return new WebSocketGateway(server, options);
}

/** A running gateway; `close` it before the process ends. */
export class WebSocketGateway implements AsyncDisposable, ConnectionOwner {
  readonly #context: GatewayContext;
  readonly #random: () => number;
  readonly #recheckIntervalMs: number;
  readonly #upgrades: UpgradeListener;
  readonly #connections = new Set<Connection>();
  #connectionCount = 0;
  #onEmpty: (() => void) | undefined;
  #stopTicking: () => void = () => {};
  #recheckedAtMs = 0;
  #closing: Promise<void> | undefined;

  constructor(server: Server | SecureServer, options: WebSocketGatewayOptions) {
    checkOptions(aServer, server, REFUSED, 'server');
    const faults = gatewayOptionFaults(options);
    if (faults.length > 0) throw new OptionsError(REFUSED, faults);
    const { implementation, strippedPathPrefix, hosts, allowedOrigins } = options;
    const callbacks = guardCallbacks(options);
    this.#context = createGatewayContext(options, callbacks);
    this.#random = callbacks.random;
    this.#recheckIntervalMs = withDefaults(GATEWAY_NUMBERS, options).recheckIntervalMs;
    this.#upgrades = new UpgradeListener({
      server,
      discovery: implementation.discovery,
      ...(strippedPathPrefix !== undefined && { strippedPathPrefix }),
      ...(hosts !== undefined && { hosts }),
      ...(allowedOrigins !== undefined && { allowedOrigins }),
      limits: this.#context.limits,
      callbacks,
      admission: this.#context.admission,
      onAccepted: (accepted) => this.#accept(accepted),
    });
  }

  /** What the gateway is doing now; does not query the sources. */
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
      isDraining: this.#upgrades.isDraining,
      resources: [...this.#context.hubs.values()].map((hub) => hub.status),
    };
  }

  /**
   * Refuses new connections and asks the others to reconnect, spread over time. It serves them until the timeout and then closes them with
   * 4410. Resolves when none is left.
   * @throws OptionsError `invalid_options` for an option out of its range
   * @see protocol section 7, draining
   */
  async drain(options: DrainOptions = {}): Promise<void> {
    checkOptions(drainOptions, options, DRAIN_REFUSED);
    const { gatewayUrl, reconnectSpreadMs } = options;
    const { reason, drainTimeoutMs } = withDefaults(DRAIN_OPTIONS, options);
    const spreadMs = Math.min(reconnectSpreadMs ?? drainTimeoutMs / 2, drainTimeoutMs);
    this.#upgrades.drain();
    for (const connection of this.#connections) {
      const reconnectAfterMs = Math.floor(this.#random() * spreadMs);
      connection.drain({ reason, reconnectAfterMs, drainTimeoutMs, gatewayUrl });
    }
    await this.#empty();
  }

  /** Drains, then stops following the logs; a second call waits for the first. */
  async close(options: DrainOptions = {}): Promise<void> {
    checkOptions(drainOptions, options, DRAIN_REFUSED);
    this.#closing ??= this.drain(options).then(() => this[Symbol.asyncDispose]());
    return this.#closing;
  }

  /** Ends the remaining connections without a drain, and stops following the logs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#upgrades[Symbol.dispose]();
    for (const connection of this.#connections) connection.terminate();
    await this.#empty();
    this.#context.round[Symbol.dispose]();
    await Promise.all([...this.#context.hubs.values()].map((hub) => hub[Symbol.asyncDispose]()));
  }

  /** Ticks go on while anybody is connected: without connections there is nothing to do. */
  #tickLater(): void {
    this.#stopTicking = this.#context.clock.after(TICK_MS, () => void this.#tick());
  }

  async #tick(): Promise<void> {
    this.#tickLater();
    const { clock, credentials } = this.#context;
    // If nothing could run for a while, messages that clients sent in time may still be in their sockets.
    await clock.nextTurn();
    const at = readClock(clock);
    for (const connection of this.#connections) connection.tick(at);
    if (at.monotonicMs - this.#recheckedAtMs < this.#recheckIntervalMs) return;
    this.#recheckedAtMs = at.monotonicMs;
    for (const hub of this.#context.hubs.values()) hub.checkReplay();
    void credentials.check();
  }

  #accept(accepted: AcceptedUpgrade): void {
    this.#connectionCount += 1;
    const connection = new Connection(this.#context, {
      ...accepted,
      id: this.#connectionCount,
      owner: this,
    });
    if (this.#connections.size === 0) {
      this.#recheckedAtMs = this.#context.clock.monotonicMs();
      this.#tickLater();
    }
    this.#connections.add(connection);
    this.#context.hooks.onConnected?.(connection.observed);
  }

  /**
   * Called by each connection when it has ended.
   * @internal
   */
  connectionGone(connection: Connection): void {
    this.#connections.delete(connection);
    this.#context.admission.dismiss(connection.observed.address);
    if (this.#connections.size > 0) return;
    this.#stopTicking();
    this.#onEmpty?.();
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
