import type { AnyDiscoveryDocument, DiscoveryError, Release, Resource } from 'rostack-core';
import { detectRelease, hasCode, parseDiscovery } from 'rostack-core/client';
import type { ClientContext } from '../connection/context/client-context.ts';
import { type HttpClient, isRefusal } from '../http/http-client.ts';
import type { JsonResponse } from '../http/json-answer.ts';
import { ResponseError, UsageError } from './error/errors.ts';

/** Bounds of `discovery_refresh_after_ms`, for any server, in milliseconds. */
const MIN_REFRESH_MS = 1_000;
const MAX_REFRESH_MS = 86_400_000;
/** Wait after an attempt that failed, in milliseconds. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** A discovery document and its release. */
export interface Discovered {
  readonly document: AnyDiscoveryDocument;
  readonly release: Release;
}

type DiscoveryContext = Pick<ClientContext, 'platform' | 'limits' | 'policy' | 'life'>;

/** The newest known discovery document; old or doubted ones are revalidated with their ETag before they are returned. */
export class DiscoveryCache {
  readonly #context: DiscoveryContext;
  readonly #http: HttpClient;
  readonly #onChanged: (before: AnyDiscoveryDocument, after: AnyDiscoveryDocument) => void;
  #known: { readonly discovered: Discovered; readonly etag: string | undefined } | undefined;
  /** Monotonic time from which the document is old. */
  #dueMs = 0;
  /** Monotonic time before which no further attempt is made, after one that failed. */
  #notBeforeMs = 0;
  /** Something says that the document is outdated: a go_away with another URL, repeated failures, another API version. */
  #isDoubted = false;
  #reading: Promise<Discovered> | undefined;
  #needsCredentials = false;

  /** @param onChanged called when a document replaces an older one */
  constructor(
    context: DiscoveryContext,
    http: HttpClient,
    onChanged: (before: AnyDiscoveryDocument, after: AnyDiscoveryDocument) => void,
  ) {
    this.#context = context;
    this.#http = http;
    this.#onChanged = onChanged;
  }

  /** The newest known document, no matter how old; undefined before the first `get`. */
  get newest(): Discovered | undefined {
    return this.#known?.discovered;
  }

  /** Says that the document may be outdated: the next `get` asks the server. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /**
   * The document, revalidated if it is due. A known document is kept while the server cannot be asked.
   * @throws ClientError if there is none yet
   */
  async get(): Promise<Discovered> {
    const known = this.#known?.discovered;
    if (known !== undefined && !this.#isDue()) return known;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    try {
      return await this.#reading;
    } catch (error) {
      this.#context.life.throwIfAborted();
      if (known === undefined) throw error;
      this.#notBeforeMs = this.#nowMs() + PAUSE_AFTER_FAILURE_MS;
      return known;
    }
  }

  /** Revalidates old documents in the background while something needs them, until the client is closed. */
  keepFresh(isNeeded: () => boolean): void {
    const { platform, life } = this.#context;
    let callOff = (): void => {};
    const schedule = (): void => {
      if (life.aborted) return;
      const isBackground = true;
      const delayMs = Math.max(this.#dueMs - this.#nowMs(), MIN_REFRESH_MS);
      callOff = platform.clock.after(delayMs, () => void refresh(), isBackground);
    };
    const refresh = async (): Promise<void> => {
      if (isNeeded()) await this.get().catch(() => {});
      schedule();
    };
    life.addEventListener('abort', () => callOff(), { once: true });
    schedule();
  }

  #isDue(): boolean {
    const nowMs = this.#nowMs();
    return nowMs >= this.#notBeforeMs && (this.#isDoubted || nowMs >= this.#dueMs);
  }

  async #read(): Promise<Discovered> {
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
    this.#dueMs = this.#nowMs() + Math.min(Math.max(refreshAfterMs, MIN_REFRESH_MS), MAX_REFRESH_MS);
    this.#isDoubted = false;
    if (before !== undefined && discovered !== before.discovered) {
      this.#onChanged(before.discovered.document, discovered.document);
    }
    return discovered;
  }

  /** Discovery is public unless the server says otherwise: credentials are only sent when the server asks for them. */
  async #ask(): Promise<JsonResponse> {
    const { limits, policy, life } = this.#context;
    const http = this.#http;
    const etag = this.#known?.etag;
    const request = {
      url: policy.base,
      maxBytes: limits.maxDiscoveryBytes,
      signal: life,
      // Before the first document the release is unknown; the older one has every problem of the newer.
      release: this.#known?.discovered.release ?? '2026-08-12',
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    } as const;
    if (!this.#needsCredentials) {
      try {
        return await http.getJson({ ...request, isAuthorized: false });
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
      this.#needsCredentials = true;
    }
    return http.getJson({ ...request, isAuthorized: true });
  }

  #nowMs(): number {
    return this.#context.platform.clock.monotonicMs();
  }
}

function readDiscovery(value: unknown): Discovered {
  const release = detectRelease(value);
  try {
    return { document: parseDiscovery(value, { release }), release };
  } catch (error) {
    if (!hasCode<DiscoveryError>(error, 'invalid_discovery')) throw error;
    throw new ResponseError(error.message, { cause: error });
  }
}

/** The resource as discovery declares it. @throws UsageError `invalid_options` */
export function findResource({ resources }: AnyDiscoveryDocument, name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found !== undefined) return found;
  const names = resources.map((resource) => resource.name).join(', ');
  throw new UsageError(`the server has no resource "${name}"; it has: ${names}`);
}
