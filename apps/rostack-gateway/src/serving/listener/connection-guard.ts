import type { Server as PlainServer } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKey, answerClientError, answerForNode, isRequestTimeout } from 'rostack-server';

/** How often Node looks for requests that did not arrive in time, at most. */
const MAX_CHECK_INTERVAL_MS = 1_000;

/** How many connections a listener holds open, and for how long without a request. Times in milliseconds. */
export interface ConnectionRules {
  /** For all addresses together. */
  readonly max: number;
  /** Per address; an IPv6 site counts by its /64 prefix. */
  readonly maxPerAddress: number;
  /** For the whole TLS handshake; undefined without TLS. */
  readonly handshakeTimeoutMs?: number | undefined;
  /** For the head of a request; for the first one it counts from the start of the connection. */
  readonly headersTimeoutMs: number;
  /** For a whole request; undefined means no limit. */
  readonly requestTimeoutMs?: number | undefined;
  /** Between two requests. */
  readonly keepAliveTimeoutMs: number;
  /** Without a byte while a request or its response is under way. */
  readonly idleTimeoutMs: number;
}

/** Connections of a listener; all but `open` are totals since its start. */
export interface ConnectionCounts {
  readonly open: number;
  /** Refused because there were too many connections. */
  readonly refusedInAll: number;
  /** Refused because there were too many from their address. */
  readonly refusedPerAddress: number;
  /** Closed because the TLS handshake took too long. */
  readonly handshakeTimeouts: number;
  /** Closed because a request, or its head, did not arrive in time. */
  readonly requestTimeouts: number;
}

/** The rules that Node enforces itself, for `createServer`. */
export function serverOptions(rules: ConnectionRules) {
  const { handshakeTimeoutMs, headersTimeoutMs, requestTimeoutMs = 0, keepAliveTimeoutMs } = rules;
  return {
    ...(handshakeTimeoutMs !== undefined && { handshakeTimeout: handshakeTimeoutMs }),
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // If true, Node itself would answer a request without a `Host` header.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.ceil(Math.min(MAX_CHECK_INTERVAL_MS, headersTimeoutMs / 4)),
  };
}

/** Enforces the rules on a server made with `serverOptions`: a connection above a cap is closed at once. */
export class ConnectionGuard {
  readonly #maxPerAddress: number;
  readonly #isProxy: (address: string | undefined) => boolean;
  readonly #open = new Set<Socket>();
  readonly #perAddress = new Map<string, number>();
  #refusedInAll = 0;
  #refusedPerAddress = 0;
  #handshakeTimeouts = 0;
  #requestTimeouts = 0;

  /** @param isProxy whether an address is a proxy's: its connections count towards the total, but not per address */
  constructor(
    server: Server | PlainServer,
    { max, maxPerAddress, idleTimeoutMs }: ConnectionRules,
    isProxy: (address: string | undefined) => boolean,
  ) {
    this.#maxPerAddress = maxPerAddress;
    this.#isProxy = isProxy;
    server.maxConnections = max;
    server.timeout = idleTimeoutMs;
    server.on('drop', () => {
      this.#refusedInAll += 1;
    });
    server.on('connection', (socket: Socket) => this.#take(socket));
    answerForNode(server);
    server.on('clientError', (error: Error, socket: Duplex) => this.#fail(error, socket));
  }

  get counts(): ConnectionCounts {
    return {
      open: this.#open.size,
      refusedInAll: this.#refusedInAll,
      refusedPerAddress: this.#refusedPerAddress,
      handshakeTimeouts: this.#handshakeTimeouts,
      requestTimeouts: this.#requestTimeouts,
    };
  }

  /** Resolves when no connection is open. */
  async allClosed(): Promise<void> {
    for (const socket of this.#open)
      await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  }

  /** Destroys every connection, even those without a request, which Node does not close. */
  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #take(socket: Socket): void {
    const { remoteAddress } = socket;
    const key = this.#isProxy(remoteAddress) ? undefined : addressKey(remoteAddress);
    const count = key === undefined ? 0 : (this.#perAddress.get(key) ?? 0);
    if (count >= this.#maxPerAddress) {
      this.#refusedPerAddress += 1;
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    if (key !== undefined) this.#perAddress.set(key, count + 1);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (key !== undefined) this.#release(key);
    });
  }

  #release(key: string): void {
    const count = (this.#perAddress.get(key) ?? 0) - 1;
    if (count > 0) this.#perAddress.set(key, count);
    else this.#perAddress.delete(key);
  }

  #fail(error: Error, socket: Duplex): void {
    if ('code' in error && error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') this.#handshakeTimeouts += 1;
    if (isRequestTimeout(error)) this.#requestTimeouts += 1;
    answerClientError(error, socket);
  }
}
