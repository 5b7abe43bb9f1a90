import { type MenuErrorCode, OperatorError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';
import type { ReadOptions } from '../operator/operator.ts';
import { type Clock, systemClock } from './clock.ts';
import { ProxyRing, type ProxyRoute } from './proxy-ring.ts';
import { backgroundRequestsPerMinute, RequestLane } from './request-lane.ts';
import { DEFAULT_RETRY, type RetryPolicy, retrying } from './retry.ts';
import { type Fetch, type HttpAnswer, type HttpRequest, sendRequest } from './send-request.ts';

/** HTTP options of both operators. */
export interface OperatorHttpOptions {
  /** @default the operator's own host */
  readonly baseUrl?: string | undefined;
  /** @default the global fetch */
  readonly fetch?: Fetch;
  /**
   * HTTP proxies for every request, used instead of `fetch`; when one is blocked, the next takes over.
   * @default none
   */
  readonly proxyUrls?: readonly string[];
  /**
   * For timeouts, retries and limits; pass another one in tests.
   * @default systemClock
   */
  readonly clock?: Clock;
  /** 0 to 1, for the jitter of retries. @default Math.random */
  readonly random?: () => number;
  /**
   * How long one request may take, its body included, in ms.
   * @default 10000
   */
  readonly timeoutMs?: number;
  /**
   * The largest body of one answer, in bytes, after decompression.
   * @default 2097152 (2 MiB)
   */
  readonly maxAnswerBytes?: number;
  /**
   * Requests of this process in any 60 s; half of them are for reading ahead.
   * @default 120
   */
  readonly maxRequestsPerMinute?: number;
  /**
   * How requests are retried that failed for a reason that may pass.
   * @default 4 attempts, 250 ms doubled up to 5 s
   */
  readonly retry?: RetryPolicy;
}

export interface OperatorHttpDefaults {
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly maxConcurrentRequests: number;
}

/** Sends one request at once, in the turn that is under way. */
export type Send = (path: string, request: HttpRequest) => Promise<HttpAnswer>;

/** Statuses that an operator sends to an address it blocks. */
const BLOCKED: ReadonlySet<number> = new Set([403, 429]);

/** Failures that the proxy may have caused. */
const LOST: ReadonlySet<MenuErrorCode> = new Set<MenuErrorCode>(['operator_unreachable', 'operator_timeout']);

/** One operator's connection: its lane, its limits and its retries. */
export class OperatorHttp implements AsyncDisposable {
  readonly clock: Clock;
  readonly backgroundRequestsPerMinute: number;
  readonly requestTimeoutMs: number;
  readonly baseUrl: string;
  /** Attempts of one read. */
  readonly maxAttempts: number;
  readonly #options: OperatorHttpOptions;
  readonly #vendor: Vendor;
  readonly #lane: RequestLane;
  readonly #proxies: ProxyRing | undefined;

  constructor(options: OperatorHttpOptions, defaults: OperatorHttpDefaults) {
    this.clock = options.clock ?? systemClock;
    this.#options = options;
    this.requestTimeoutMs = options.timeoutMs ?? 10_000;
    this.maxAttempts = (options.retry ?? DEFAULT_RETRY).maxAttempts;
    this.#vendor = defaults.vendor;
    this.baseUrl = (options.baseUrl ?? defaults.baseUrl).replace(/\/+$/, '');
    const { proxyUrls = [] } = options;
    this.#proxies = proxyUrls.length === 0 ? undefined : new ProxyRing(proxyUrls);
    const { maxRequestsPerMinute = 120 } = options;
    this.backgroundRequestsPerMinute = backgroundRequestsPerMinute(maxRequestsPerMinute);
    this.#lane = new RequestLane({
      vendor: defaults.vendor,
      clock: this.clock,
      maxConcurrentRequests: defaults.maxConcurrentRequests,
      maxRequestsPerMinute,
    });
  }

  /** True where a request may go one of several ways. */
  get hasSeveralProxies(): boolean {
    return (this.#proxies?.size ?? 0) > 1;
  }

  /** For answers that need no request but must also fail once the operator is closed. @throws OperatorError `closed` */
  checkOpen(): void {
    if (this.#lane.signal.aborted)
      throw new OperatorError(this.#vendor, 'closed', 'The operator was closed.');
  }

  /**
   * Sends one request when its turn comes.
   * @throws OperatorError like sendRequest, and `closed`
   */
  send(path: string, request: HttpRequest, options: ReadOptions): Promise<HttpAnswer> {
    return this.turn((send) => send(path, request), options);
  }

  /**
   * Runs what belongs to one request when its turn comes: nothing else of this account is sent meanwhile, if it allows only
   * one request at a time. If a proxy is blocked, a request goes once more through each of the others; what is posted does
   * not, and the next request takes another one.
   * @throws OperatorError like sendRequest, `closed`, and what `work` throws
   */
  turn<T>(work: (send: Send) => Promise<T>, options: ReadOptions): Promise<T> {
    const signal = this.#signalOf(options);
    return this.#lane.run(() => work((path, request) => this.#sendNow(path, request, signal)), options);
  }

  async #sendNow(path: string, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const proxies = this.#proxies;
    if (proxies === undefined)
      return this.#sendBy(this.#options.fetch ?? globalThis.fetch, path, request, signal);
    for (let sent = 1; ; sent += 1) {
      const route = proxies.current;
      const answer = await this.#sendThrough(route, proxies, path, request, signal);
      if (!BLOCKED.has(answer.status)) return answer;
      proxies.leave(route);
      if (sent >= proxies.size || request.method === 'POST') return answer;
    }
  }

  /** Tries until one attempt succeeds, as far as the policy allows. */
  retrying<T>(attempt: () => Promise<T>, options: ReadOptions): Promise<T> {
    return retrying(attempt, this.#options.retry ?? DEFAULT_RETRY, {
      clock: this.clock,
      random: this.#options.random ?? Math.random,
      signal: this.#signalOf(options),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lane[Symbol.asyncDispose]();
    await this.#proxies?.[Symbol.asyncDispose]();
  }

  /** If the proxy led nowhere, the next attempt uses another one. */
  async #sendThrough(
    route: ProxyRoute,
    proxies: ProxyRing,
    path: string,
    request: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    try {
      return await this.#sendBy(route.fetch, path, request, signal);
    } catch (error) {
      const lost = error instanceof OperatorError && LOST.has(error.code);
      if (lost) proxies.leave(route);
      throw error;
    }
  }

  #sendBy(fetch: Fetch, path: string, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    return sendRequest(`${this.baseUrl}${path}`, request, {
      vendor: this.#vendor,
      fetch,
      timeoutMs: this.requestTimeoutMs,
      maxBytes: this.#options.maxAnswerBytes ?? 2 * 1024 * 1024,
      signal,
    });
  }

  #signalOf({ signal }: ReadOptions): AbortSignal {
    return signal === undefined ? this.#lane.signal : AbortSignal.any([signal, this.#lane.signal]);
  }
}

/** The parameters as a query string, with all but the unreserved characters percent-encoded. */
export function formatQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
}
