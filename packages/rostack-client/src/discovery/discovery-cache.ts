import {
  type AnyDiscoveryDocument,
  DiscoveryError,
  detectRelease,
  parseDiscovery,
  type Release,
} from 'rostack-core';
import { HttpProblemError, ResponseError } from '../error/index.ts';
import type { HttpClient, JsonResponse } from '../http/http-client.ts';
import type { ClientClock } from '../platform/clock.ts';
import {
  confirm,
  type DiscoveryFreshness,
  doubt,
  failed,
  isRefreshDue,
  refreshDueMs,
} from './discovery-freshness.ts';

/** A discovery document and the release that it is of. */
export interface Discovered {
  readonly document: AnyDiscoveryDocument;
  readonly release: Release;
}

export interface DiscoveryCacheOptions {
  readonly http: HttpClient;
  readonly url: URL;
  readonly maxBytes: number;
  readonly clock: ClientClock;
  /** Ends what is under way: the client's life. */
  readonly signal: AbortSignal;
  /** Told of a document that replaces an older one. */
  readonly onChanged: (before: AnyDiscoveryDocument, after: AnyDiscoveryDocument) => void;
}

/** The newest known discovery document; old or doubted ones are revalidated with their ETag before they are given out. */
export class DiscoveryCache {
  readonly #options: DiscoveryCacheOptions;
  #known: { readonly discovered: Discovered; readonly etag: string | undefined } | undefined;
  #freshness: DiscoveryFreshness | undefined;
  #reading: Promise<Discovered> | undefined;
  #needsCredentials = false;

  constructor(options: DiscoveryCacheOptions) {
    this.#options = options;
  }

  /** The newest known document, as old as it may be; undefined before the first `get`. */
  get newest(): Discovered | undefined {
    return this.#known?.discovered;
  }

  /** Monotonic time from which the document is old; undefined before the first `get`. */
  get dueMs(): number | undefined {
    return this.#freshness && refreshDueMs(this.#freshness);
  }

  /** Says that the document may be outdated: the next `get` asks the server. */
  doubt(): void {
    if (this.#freshness !== undefined) this.#freshness = doubt(this.#freshness);
  }

  /**
   * The document, revalidated where it is due. A document that is known stays good where the server cannot be asked.
   * @throws ClientError where there is none yet
   */
  async get(): Promise<Discovered> {
    const nowMs = this.#options.clock.monotonicMs();
    const known = this.#known?.discovered;
    if (known !== undefined && this.#freshness !== undefined && !isRefreshDue(this.#freshness, nowMs)) {
      return known;
    }
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    try {
      return await this.#reading;
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (known === undefined || this.#freshness === undefined) throw error;
      this.#freshness = failed(this.#freshness, this.#options.clock.monotonicMs());
      return known;
    }
  }

  async #read(): Promise<Discovered> {
    const { clock, onChanged } = this.#options;
    const before = this.#known;
    const response = await this.#ask();
    if (response.status === 304 && before === undefined) {
      throw new ResponseError('the server answered 304 to a request without a condition');
    }
    const discovered =
      response.status === 304 && before !== undefined ? before.discovered : readDiscovery(response.value);
    const etag = response.status === 304 ? before?.etag : (response.headers.get('etag') ?? undefined);
    this.#known = { discovered, etag };
    const { discovery_refresh_after_ms: refreshAfterMs } = discovered.document.capabilities.websocket;
    this.#freshness = confirm(refreshAfterMs, clock.monotonicMs());
    if (before !== undefined && discovered !== before.discovered) {
      onChanged(before.discovered.document, discovered.document);
    }
    return discovered;
  }

  /** Discovery is public unless the server says otherwise: credentials go out only when they are asked for. */
  async #ask(): Promise<JsonResponse> {
    const { http, url, maxBytes, signal } = this.#options;
    const etag = this.#known?.etag;
    const request = {
      url,
      maxBytes,
      signal,
      release: this.#known?.discovered.release ?? '2026-08-13',
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    } as const;
    if (!this.#needsCredentials) {
      try {
        return await http.getJson({ ...request, isAuthorized: false });
      } catch (error) {
        if (!(error instanceof HttpProblemError) || error.code !== 'authentication-required') throw error;
      }
      this.#needsCredentials = true;
    }
    return http.getJson({ ...request, isAuthorized: true });
  }
}

function readDiscovery(value: unknown): Discovered {
  const release = detectRelease(value);
  try {
    return { document: parseDiscovery(value, { release }), release };
  } catch (error) {
    if (!(error instanceof DiscoveryError)) throw error;
    throw new ResponseError(error.message, { cause: error });
  }
}
