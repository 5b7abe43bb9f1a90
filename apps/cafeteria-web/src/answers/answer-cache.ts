import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { nextMealMs } from 'menu-client';
import { preferredLanguage } from '../render/i18n/language.ts';
import type { RateLimiter } from '../running/rate-limit.ts';
import type { OriginOf } from './link-origin.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import type { Unchanged } from './readings.ts';
import type { Rendering } from './rendering.ts';

/** Header fields of a request that decide its answer. */
export const ASKED_FIELDS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cookie',
  'host',
  'if-none-match',
] as const;

/** The method of a request, and its header fields that decide the answer. */
export interface Asked {
  readonly method?: string | undefined;
  readonly headers: AskedHeaders;
}

type AskedHeaders = Pick<IncomingHttpHeaders, (typeof ASKED_FIELDS)[number]>;

/** How an answer is kept. */
export interface Keeping {
  /** Path and query as our links spell them. */
  readonly target: string;
  /** The route that made it, for metrics. */
  readonly route: string;
  /** A kept answer of the same version is reused, not rendered again. @default always rendered */
  readonly version?: string;
  /** Created before asking for the data. @default the answer depends on no reading */
  readonly unchanged?: Unchanged;
  /** False once a photo is known to be there, to be another one or to be none, where the rendering says otherwise. */
  readonly samePhotos?: Unchanged;
  /** How long until the data are checked again, since another process may have read. @default 60000 */
  readonly maxAgeMs?: number;
  /** True for one of more addresses than memory could hold, most of them asked for once: it is kept from the second request on. */
  readonly onlyIfAskedAgain?: boolean;
  /** The limit that each request for it counts towards. */
  readonly limiter?: RateLimiter;
}

interface KeptAnswer extends Keeping {
  readonly rendering: Rendering;
  readonly untilMs: number;
}

const ENTRY_OVERHEAD_BYTES = 900;
/** Names of answers that were asked for once: as many as people ask for in some minutes. */
const MAX_ASKED_ONCE = 4_000;
/** Also checked with a configured origin, whose links do not depend on the host: the app refuses malformed hosts. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Earlier answers, by address and by what they vary on. Nothing that belongs to one visitor is in it. */
export class AnswerCache {
  readonly #nowMs: () => number;
  readonly #originOf: OriginOf;
  readonly #kept: LRUCache<string, KeptAnswer>;
  /** The latest, and those before them. */
  #askedOnce: [latest: Set<string>, earlier: Set<string>] = [new Set(), new Set()];

  constructor(maxBytes: number, nowMs: () => number, originOf: OriginOf) {
    this.#nowMs = nowMs;
    this.#originOf = originOf;
    const sizeCalculation = ({ rendering }: KeptAnswer, key: string): number =>
      ENTRY_OVERHEAD_BYTES + key.length + rendering.weight;
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  /** The answer as the app would give it; undefined when the app has to be asked. @param target as sent */
  find({ method, headers }: Asked, target: string): KeptAnswer | undefined {
    if ((method !== 'GET' && method !== 'HEAD') || !HOST.test(headers.host ?? '')) return undefined;
    const kept = this.#lookUp(headers, target);
    if (kept === undefined || this.#nowMs() >= kept.untilMs) return undefined;
    if (kept.unchanged?.() === false || kept.samePhotos?.() === false) return undefined;
    // With a cookie it may be another page.
    return headers.cookie !== undefined && kept.rendering.vary.includes('Cookie') ? undefined : kept;
  }

  /** The kept rendering of this version, or a new one, which answers the same request until something changes. */
  keep({ headers }: Asked, keeping: Keeping, make: () => Rendering): Rendering {
    const { target, maxAgeMs = 60_000 } = keeping;
    // A version is joined from dozens of strings, which would all be kept with it.
    const version = keeping.version === undefined ? undefined : hash('sha256', keeping.version, 'base64url');
    const before = version === undefined ? undefined : this.#lookUp(headers, target);
    const reused = before?.version === version && before?.samePhotos?.() !== false ? before : undefined;
    const rendering = reused?.rendering ?? make();
    const key = this.#key(headers, target, rendering.vary);
    if (keeping.onlyIfAskedAgain === true && !this.#kept.has(key) && !this.#isAskedAgain(key))
      return rendering;
    // Pages show which meal is current.
    const untilMs = Math.min(this.#nowMs() + maxAgeMs, nextMealMs(this.#nowMs()));
    const samePhotos = reused === undefined ? keeping.samePhotos : reused.samePhotos;
    const kept = {
      ...keeping,
      ...(version !== undefined && { version }),
      ...(samePhotos && { samePhotos }),
      rendering,
      untilMs,
    };
    this.#kept.set(key, kept);
    // If this fails, the request that needs the compressed form fails too.
    if (!rendering.keepsPlain) rendering.compressed().catch(() => {});
    return rendering;
  }

  /** Bytes in memory now, by the cache's own estimate. */
  get sizeBytes(): number {
    return this.#kept.calculatedSize;
  }

  /** Whether it was asked for once before, which then no longer counts. */
  #isAskedAgain(key: string): boolean {
    const [latest, earlier] = this.#askedOnce;
    if (latest.delete(key) || earlier.delete(key)) return true;
    latest.add(key);
    if (2 * latest.size >= MAX_ASKED_ONCE) this.#askedOnce = [new Set(), latest];
    return false;
  }

  #lookUp(headers: AskedHeaders, target: string): KeptAnswer | undefined {
    const same = this.#kept.get(this.#key(headers, target, ''));
    return same ?? this.#kept.get(this.#key(headers, target, 'Accept-Language'));
  }

  /** One key per origin for what is the same for everybody; for a page, one per form and language too. */
  #key(headers: AskedHeaders, target: string, vary: string): string {
    const address = this.#originOf(headers.host) + target;
    if (!vary.includes('Accept-Language')) return address;
    const form = prefersMarkdown(headers.accept) ? 'md' : 'html';
    return `${form} ${preferredLanguage(headers['accept-language'])} ${address}`;
  }
}
