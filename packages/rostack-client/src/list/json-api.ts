import type { AnyDiscoveryDocument } from 'rostack-core';
import type { ClientContext } from '../connection/context/client-context.ts';
import { joinSignals } from '../connection/platform/platform.ts';
import { retry, retryDelayAfter, retryRules } from '../connection/retry/retry.ts';
import type { Discovered, DiscoveryCache } from '../http/discovery-cache.ts';
import { ClientClosedError, DiscoveryOutdatedError } from '../http/error/errors.ts';
import type { HttpClient, JsonRequest } from '../http/http-client.ts';
import type { JsonResponse } from '../http/json-answer.ts';

/** What a request needs besides its URL. */
export interface ApiRequest {
  readonly signal: AbortSignal | undefined;
  readonly etag?: string | undefined;
  /** @default application/json */
  readonly mediaType?: string | undefined;
  /** See `JsonRequest`. @default not called */
  readonly onBeginning?: ((bytes: Uint8Array) => Promise<void>) | undefined;
}

/** The JSON API as discovery describes it: with credentials, retries, and a check for another API version. */
export class JsonApi {
  /** What the client's parts share. */
  readonly context: ClientContext;
  readonly #http: HttpClient;
  readonly #discovery: DiscoveryCache;
  readonly #onAdvice: (sentence: string) => void;
  /** Of as many comparisons as the application makes wrongly. */
  readonly #advised = new Set<string>();

  /** @param onAdvice told what a filter cannot have meant, each sentence once */
  constructor(
    context: ClientContext,
    http: HttpClient,
    discovery: DiscoveryCache,
    onAdvice: (sentence: string) => void,
  ) {
    this.context = context;
    this.#http = http;
    this.#discovery = discovery;
    this.#onAdvice = onAdvice;
  }

  /** The newest known discovery document. @throws ClientClosedError if the client was closed before it had one */
  get newest(): AnyDiscoveryDocument {
    const { newest } = this.#discovery;
    if (newest === undefined) throw new ClientClosedError();
    return newest.document;
  }

  /** Tells a sentence about a filter, unless it was told before. */
  advise(sentence: string): void {
    if (this.#advised.has(sentence)) return;
    this.#advised.add(sentence);
    this.#onAdvice(sentence);
  }

  /** How many answers requests with credentials have got. */
  get accepted(): number {
    return this.#http.accepted;
  }

  /** Discovery, fresh enough. @throws ClientError */
  async discover(signal: AbortSignal | undefined): Promise<Discovered> {
    this.context.life.throwIfAborted();
    signal?.throwIfAborted();
    const discovered = await this.#discovery.get();
    signal?.throwIfAborted();
    return discovered;
  }

  /** Makes an attempt again, once, if discovery turned out to be outdated. */
  async withFreshDiscovery<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DiscoveryOutdatedError)) throw error;
      return attempt();
    }
  }

  /** @param url as advertised @throws ClientError */
  async getJson(url: string, request: ApiRequest): Promise<JsonResponse> {
    const { policy, limits, life } = this.context;
    const { document, release } = await this.discover(request.signal);
    const joined = joinSignals([request.signal, life]);
    const response = await this.#retried(document, {
      ...request,
      url: policy.httpUrl(url),
      isAuthorized: true,
      maxBytes: limits.maxResponseBytes,
      release,
      signal: joined.signal,
      headers: request.etag === undefined ? {} : { 'if-none-match': request.etag },
    }).finally(() => joined.release());
    const expected = document.implementation.api_version;
    const found = response.headers.get('x-rostack-api-version') ?? expected;
    if (found !== expected) {
      this.#discovery.doubt();
      throw new DiscoveryOutdatedError(otherVersion(expected, found));
    }
    return response;
  }

  #retried(document: AnyDiscoveryDocument, request: JsonRequest): Promise<JsonResponse> {
    const { limits, platform } = this.context;
    const rules = retryRules(document, limits.maxServerDelayMs);
    return retry(
      () => this.#http.getJson(request),
      async (error, failures) => {
        if (failures >= limits.maxAttempts) throw error;
        const delayMs = retryDelayAfter(rules, error, failures, platform.random());
        await platform.waker.wait(platform.clock, delayMs, request.signal);
      },
    );
  }
}

const otherVersion = (expected: string, found: string): string =>
  `the server answers in API version ${found.slice(0, 100)}, discovery said ${expected}`;
