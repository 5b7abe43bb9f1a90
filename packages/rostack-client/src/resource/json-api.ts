import type { AnyDiscoveryDocument } from 'rostack-core';
import type { Discovered, DiscoveryCache } from '../discovery/discovery-cache.ts';
import { DiscoveryOutdatedError } from '../error/index.ts';
import type { HttpClient, JsonRequest, JsonResponse } from '../http/http-client.ts';
import type { OriginPolicy } from '../http/origin-policy.ts';
import { type RetryRules, withRetries } from '../http/with-retries.ts';
import { joinSignals } from '../platform/join-signals.ts';

export interface JsonApiOptions {
  readonly http: HttpClient;
  readonly policy: OriginPolicy;
  readonly discovery: DiscoveryCache;
  readonly maxBytes: number;
  readonly retry: Pick<RetryRules, 'maxAttempts' | 'maxServerDelayMs' | 'random' | 'clock'>;
  /** The client's life. */
  readonly signal: AbortSignal;
}

/** The JSON API as discovery describes it: authorized, retried, watched for another API version. */
export class JsonApi {
  readonly #options: JsonApiOptions;

  constructor(options: JsonApiOptions) {
    this.#options = options;
  }

  /** Discovery, fresh enough. @throws ClientError */
  async discover(signal: AbortSignal | undefined): Promise<Discovered> {
    this.#options.signal.throwIfAborted();
    signal?.throwIfAborted();
    const discovered = await this.#options.discovery.get();
    signal?.throwIfAborted();
    return discovered;
  }

  /** Makes an attempt again, once, where discovery turned out to be outdated. */
  async withFreshDiscovery<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DiscoveryOutdatedError)) throw error;
      return attempt();
    }
  }

  /** @param url as advertised @throws ClientError */
  async getJson(
    url: string,
    request: { readonly signal: AbortSignal | undefined; readonly etag?: string | undefined },
  ): Promise<JsonResponse> {
    const { discovery } = this.#options;
    const { document, release } = await this.discover(request.signal);
    const joined = joinSignals([request.signal, this.#options.signal]);
    const response = await this.#retried(document, {
      url: this.#options.policy.httpUrl(url),
      isAuthorized: true,
      maxBytes: this.#options.maxBytes,
      release,
      signal: joined.signal,
      headers: request.etag === undefined ? {} : { 'if-none-match': request.etag },
    }).finally(() => joined.release());
    const expected = document.implementation.api_version;
    const found = response.headers.get('x-rostack-api-version') ?? expected;
    if (found !== expected) {
      discovery.doubt();
      throw new DiscoveryOutdatedError(otherVersion(expected, found));
    }
    return response;
  }

  async #retried({ capabilities }: AnyDiscoveryDocument, request: JsonRequest): Promise<JsonResponse> {
    const { http, retry } = this.#options;
    const { reconnect_min_delay_ms: minDelayMs, reconnect_max_delay_ms: maxDelayMs } = capabilities.websocket;
    const rules = { ...retry, minDelayMs, maxDelayMs };
    return withRetries(rules, request.signal, () => http.getJson(request));
  }
}

const otherVersion = (expected: string, found: string): string =>
  `the server answers in API version ${found.slice(0, 100)}, discovery said ${expected}`;
