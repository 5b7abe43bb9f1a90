import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { nextMealMs } from '../domain/meal-clock.ts';
import { preferredLanguage } from '../i18n/language.ts';
import type { RateLimiter } from '../running/rate-limit.ts';
import type { OriginOf } from './link-origin.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import type { Unchanged } from './readings.ts';
import type { Rendering } from './rendering.ts';

/** The method and header fields of a request. */
export interface Asked {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** How an answer is kept. */
export interface Keeping {
  /** Path and query as our links spell them. */
  readonly target: string;
  /** The route that made it, for metrics. */
  readonly route: string;
  /** What has this version already is not rendered again. @default each is rendered */
  readonly version?: string;
  /** Taken before the data were asked for. @default it depends on no reading */
  readonly unchanged?: Unchanged;
  /** After this the data are looked at again: another process may have read. @default 60000 */
  readonly maxAgeMs?: number;
  /** The limit that each request for it counts towards. */
  readonly limiter?: RateLimiter;
}

interface KeptAnswer extends Keeping {
  readonly rendering: Rendering;
  readonly untilMs: number;
}

const ENTRY_OVERHEAD_BYTES = 900;
/** With a configured origin links do not depend on the host, but a malformed host is left to the app to refuse. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Answers given before, by their address and what they vary by. What is one visitor's own is never in it. */
export class AnswerCache {
  readonly #nowMs: () => number;
  readonly #originOf: OriginOf;
  readonly #kept: LRUCache<string, KeptAnswer>;

  constructor(maxBytes: number, nowMs: () => number, originOf: OriginOf) {
    this.#nowMs = nowMs;
    this.#originOf = originOf;
    const sizeCalculation = ({ rendering }: KeptAnswer, key: string): number =>
      ENTRY_OVERHEAD_BYTES + key.length + rendering.weight;
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  /** The answer as the app would give it; undefined where the app has to be asked. @param target as sent */
  find({ method, headers }: Asked, target: string): KeptAnswer | undefined {
    if ((method !== 'GET' && method !== 'HEAD') || !HOST.test(headers.host ?? '')) return undefined;
    const kept = this.#lookUp(headers, target);
    if (kept === undefined || this.#nowMs() >= kept.untilMs || kept.unchanged?.() === false) return undefined;
    // With a cookie it may be another page.
    return headers.cookie !== undefined && kept.rendering.vary.includes('Cookie') ? undefined : kept;
  }

  /** The kept rendering of this version, or a new one; while nothing changes it answers the same request again. */
  keep({ headers }: Asked, keeping: Keeping, make: () => Rendering): Rendering {
    const { target, version, maxAgeMs = 60_000 } = keeping;
    const before = version === undefined ? undefined : this.#lookUp(headers, target);
    const rendering = before !== undefined && before.version === version ? before.rendering : make();
    // Pages say which meal is now.
    const untilMs = Math.min(this.#nowMs() + maxAgeMs, nextMealMs(this.#nowMs()));
    this.#kept.set(this.#key(headers, target, rendering.vary), { ...keeping, rendering, untilMs });
    // Where that fails, the request that needs it fails with it.
    if (!rendering.keepsPlain) rendering.compressed().catch(() => {});
    return rendering;
  }

  /** Bytes in memory now, by the cache's own estimate. */
  get sizeBytes(): number {
    return this.#kept.calculatedSize;
  }

  #lookUp(headers: IncomingHttpHeaders, target: string): KeptAnswer | undefined {
    const same = this.#kept.get(this.#key(headers, target, ''));
    return same ?? this.#kept.get(this.#key(headers, target, 'Accept-Language'));
  }

  /** What is the same for everybody has one key for each origin, a page has one for each form and language. */
  #key(headers: IncomingHttpHeaders, target: string, vary: string): string {
    const address = this.#originOf(headers.host) + target;
    if (!vary.includes('Accept-Language')) return address;
    const form = prefersMarkdown(headers.accept) ? 'md' : 'html';
    return `${form} ${preferredLanguage(headers['accept-language'])} ${address}`;
  }
}
