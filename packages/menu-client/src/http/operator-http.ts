import { OperatorError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';
import type { ReadOptions } from '../operator/operator.ts';
import { type Clock, systemClock } from './clock.ts';
import { RequestLane } from './request-lane.ts';
import { DEFAULT_RETRY, type RetryPolicy, retrying } from './retry.ts';
import { type Fetch, type HttpAnswer, type HttpRequest, sendRequest } from './send-request.ts';

/** HTTP options of both operators. */
export interface OperatorHttpOptions {
  /** @default the operator's own host */
  readonly baseUrl?: string | undefined;
  /** @default the global fetch */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** 0 to 1, for the jitter of retries. @default Math.random */
  readonly random?: () => number;
  /** Of one request. @default 10000 */
  readonly timeoutMs?: number;
  /** Of one answer's body. @default 2097152 (2 MiB) */
  readonly maxAnswerBytes?: number;
  /** Of this process. @default 240 */
  readonly maxRequestsPerMinute?: number;
  /** @default 4 attempts, 250 ms doubled up to 5 s */
  readonly retry?: RetryPolicy;
}

export interface OperatorHttpDefaults {
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly maxConcurrentRequests: number;
}

/** One operator's connection: its lane, its limits and its retries. */
export class OperatorHttp implements AsyncDisposable {
  readonly clock: Clock;
  readonly #options: OperatorHttpOptions;
  readonly #vendor: Vendor;
  readonly #baseUrl: string;
  readonly #lane: RequestLane;

  constructor(options: OperatorHttpOptions, defaults: OperatorHttpDefaults) {
    this.clock = options.clock ?? systemClock;
    this.#options = options;
    this.#vendor = defaults.vendor;
    this.#baseUrl = (options.baseUrl ?? defaults.baseUrl).replace(/\/+$/, '');
    this.#lane = new RequestLane({
      vendor: defaults.vendor,
      clock: this.clock,
      maxConcurrentRequests: defaults.maxConcurrentRequests,
      maxRequestsPerMinute: options.maxRequestsPerMinute ?? 240,
    });
  }

  /** For answers that need no request: they end with the operator too. @throws OperatorError `closed` */
  checkOpen(): void {
    if (this.#lane.signal.aborted)
      throw new OperatorError(this.#vendor, 'closed', 'The operator was closed.');
  }

  /** Sends one request when its turn comes. @throws OperatorError as sendRequest, and `closed` */
  send(path: string, request: HttpRequest, options: ReadOptions): Promise<HttpAnswer> {
    const exchange = () =>
      sendRequest(`${this.#baseUrl}${path}`, request, {
        vendor: this.#vendor,
        fetch: this.#options.fetch ?? globalThis.fetch,
        timeoutMs: this.#options.timeoutMs ?? 10_000,
        maxBytes: this.#options.maxAnswerBytes ?? 2 * 1024 * 1024,
        signal: this.#signalOf(options),
      });
    return this.#lane.run(exchange, options);
  }

  /** Attempts until one succeeds, as the policy allows. */
  retrying<T>(attempt: () => Promise<T>, options: ReadOptions): Promise<T> {
    return retrying(attempt, this.#options.retry ?? DEFAULT_RETRY, {
      clock: this.clock,
      random: this.#options.random ?? Math.random,
      signal: this.#signalOf(options),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lane[Symbol.asyncDispose]();
  }

  #signalOf({ signal }: ReadOptions): AbortSignal {
    return signal === undefined ? this.#lane.signal : AbortSignal.any([signal, this.#lane.signal]);
  }
}

/** The parameters as a query string, every character outside the unreserved ones percent-encoded. */
export function formatQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
}
