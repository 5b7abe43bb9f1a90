import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Hono } from 'hono';
import type { ImplementationDefinition } from 'rostack-core';
import {
  answerRefusal,
  type DrainOptions,
  type GatewayStatus,
  type OwnedRateLimiter,
  type WebSocketGateway,
} from 'rostack-server';
import type { Mover, MoverStatus, Store } from 'rostack-store';
import type { LogFollowing } from '../../cluster/peers/follow-logs.ts';
import type { Peers } from '../../cluster/peers/peers.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import type { HeadCheckpoint } from '../../observe/health/head-checkpoint.ts';
import type { CertificateWatch } from '../certificates/certificate-watch.ts';
import type { Listener } from '../listener/listener.ts';
import type { ConfiguredStore } from '../store/configured-store.ts';
import type { Operations } from './operations.ts';

/** How often newly idle connections are closed while the last requests finish. */
const IDLE_LOOK_MS = 50;

/** The parts of a running gateway. */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly baseUrl: string;
  readonly implementation: ImplementationDefinition;
  readonly listener: Listener;
  readonly store: ConfiguredStore;
  readonly app: Hono;
  readonly websockets: WebSocketGateway;
  readonly rateLimiter: OwnedRateLimiter;
  readonly operations: Operations;
  /** Undefined in a process that is not the lead. */
  readonly heads: HeadCheckpoint | undefined;
  /** Undefined in a process that is not the lead. */
  readonly expiry: CertificateWatch | undefined;
  /** Undefined if no resource comes from a table. */
  readonly mover: Mover | undefined;
  /** The other processes that serve the same, and the news of logs that they exchange; undefined if there are none. */
  readonly machine: Peers | undefined;
  readonly logs: LogFollowing | undefined;
}

/** A server of one implementation: JSON API, WebSocket gateway, documentation and store on the data listener. */
export class Gateway implements AsyncDisposable {
  readonly #parts: GatewayParts;
  readonly #underWay = new Set<ServerResponse>();
  #closing: Promise<void> | undefined;

  /** Use `createGateway`. */
  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /** The store with the records; writes to it reach followers. It is closed with the gateway. */
  get store(): Store {
    return this.#parts.store.store;
  }

  /** The HTTP side, for requests without a socket. */
  get app(): Hono {
    return this.#parts.app;
  }

  /** What is served: the result of `defineImplementation` for the configuration. */
  get implementation(): ImplementationDefinition {
    return this.#parts.implementation;
  }

  /** The URL that the gateway advertises: `public_url`, or localhost and the port. No slash at the end. */
  get url(): string {
    return this.#parts.baseUrl;
  }

  /** Port that the data listener is bound to; 0 without one. */
  get port(): number {
    return this.#parts.listener.port;
  }

  /** Port that the admin listener is bound to; undefined if there is none. */
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

  /** How this process follows the tables that resources come from. */
  get sources(): readonly MoverStatus[] {
    return this.#parts.mover?.status ?? [];
  }

  /**
   * Answers a request that another server has received, with its path unchanged; a path that nothing serves gets a problem. For a gateway
   * that does not listen itself.
   */
  handle(request: IncomingMessage, response: ServerResponse): void {
    if (this.#closing !== undefined) {
      answerRefusal(response, { status: 503, reason: 'The gateway is closed.' });
      return;
    }
    this.#underWay.add(response);
    response.once('close', () => this.#underWay.delete(response));
    this.#parts.listener.server.emit('request', request, response);
  }

  /** As `handle`, for an `upgrade` event of another server. Call it for the gateway's path only, or for all. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#parts.listener.server.emit('upgrade', request, socket, head);
  }

  /** Reads the certificate files again; if they cannot be used, the old certificate stays in use. */
  reloadCertificate(): Promise<void> {
    return this.#parts.listener.reloadCertificate();
  }

  /**
   * Tells followers to go away, serves them until the timeout, then closes everything; a second call waits for the first.
   * @param options how long followers may stay: `drainTimeoutMs`, by default `shutdown.drain_time`
   */
  close({ drainTimeoutMs }: Pick<DrainOptions, 'drainTimeoutMs'> = {}): Promise<void> {
    this.#closing ??= this.#close(drainTimeoutMs ?? this.#parts.config.shutdown.drainTimeMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close({ drainTimeoutMs: 0 });
  }

  async #close(drainTimeoutMs: number): Promise<void> {
    const { listener, websockets, rateLimiter, store, operations, heads, mover, logs, machine } = this.#parts;
    const { server } = listener;
    const deadlineMs = performance.now() + drainTimeoutMs;
    operations.isDraining = true;
    await operations.stopCanary();
    if (machine?.isReplaced === true) operations.retireAdmin();
    listener.stopWatching();
    this.#parts.expiry?.[Symbol.dispose]();
    const isClosed = Promise.all([
      new Promise<void>((resolve) => server.close(() => resolve())),
      listener.connections.allClosed(),
      ...[...this.#underWay].map((response) => once(response, 'close')),
    ]).then(() => {});
    server.closeIdleConnections();
    await websockets.drain({ drainTimeoutMs });
    await websockets[Symbol.asyncDispose]();
    await finishRequests(server, isClosed, deadlineMs);
    for (const response of this.#underWay) response.destroy();
    listener.connections.destroyAll();
    await isClosed;
    await rateLimiter[Symbol.asyncDispose]();
    await operations[Symbol.asyncDispose]();
    await logs?.[Symbol.asyncDispose]();
    await mover?.close();
    await heads?.[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  }
}

/** Waits until the requests under way have finished, or the deadline. */
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
