import { randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  type DiscoveryDocument,
  decodePageCursor,
  type EventPosition,
  encodeEventCursor,
  encodePageCursor,
  eventScopeTag,
  PAGE_CURSOR_NONCE_BYTES,
  type PageCursorKeyring,
  type PageCursorScope,
  type PagePlace,
  type Principal,
} from 'rostack-core';
import { createCursorPlatform } from './cursor-platform.ts';

/** The keys that cursors are sealed with; the same on every server of an implementation. */
export interface CursorKeys {
  /** For `next_cursor`; rotate it by adding a key. */
  readonly pages: PageCursorKeyring;
  /** For `event_cursor`: at least 32 bytes, the gateway's too. Another key voids all event cursors. */
  readonly events: Uint8Array;
}

/** What a page cursor is bound to, besides the implementation and its API version. */
export interface PageScope {
  readonly resource: string;
  readonly principal: Principal;
  /** Equal for queries that mean the same. */
  readonly query: string;
}

const MAX_CACHED_TAGS = 10_000;
const PERIOD_MS = 60_000;

/** Writes and reads the cursors of one implementation (protocol section 10). */
export class Cursors {
  readonly #implementationId: string;
  readonly #apiVersion: string;
  readonly #keys: CursorKeys;
  readonly #nonces = new NoncePool();
  readonly #platform = createCursorPlatform();
  readonly #eventTags = new LRUCache<string, string>({ max: MAX_CACHED_TAGS });

  constructor({ id, api_version }: DiscoveryDocument['implementation'], keys: CursorKeys) {
    this.#implementationId = id;
    this.#apiVersion = api_version;
    this.#keys = keys;
  }

  /** Pages made within one period may be sent again: their cursors live at least as long as fresh ones should. */
  periodOf(nowMs: number): number {
    return Math.floor(nowMs / PERIOD_MS);
  }

  /** The cursor lives 15 minutes from the end of the present period. */
  encodePage(place: PagePlace, scope: PageScope, nowMs: number): string {
    const periodEndMs = (this.periodOf(nowMs) + 1) * PERIOD_MS;
    return encodePageCursor(
      place,
      this.#pageScope(scope),
      this.#keys.pages,
      periodEndMs,
      this.#nonces.next(),
      this.#platform,
    );
  }

  /** @throws PageCursorError `invalid_cursor` */
  decodePage(cursor: string, scope: PageScope, nowMs: number): PagePlace {
    return decodePageCursor(cursor, this.#pageScope(scope), this.#keys.pages, nowMs, this.#platform);
  }

  encodeEvent(position: EventPosition, resource: string, principal: Principal): string {
    const key = `${resource} ${principal.id}`;
    let tag = this.#eventTags.get(key);
    if (tag === undefined) {
      const scope = { implementationId: this.#implementationId, apiVersion: this.#apiVersion };
      tag = eventScopeTag({ ...scope, resource, principalId: principal.id }, this.#keys.events);
      this.#eventTags.set(key, tag);
    }
    return encodeEventCursor(tag, position);
  }

  #pageScope({ resource, principal, query }: PageScope): PageCursorScope {
    const { id: principalId } = principal;
    const scope = { implementationId: this.#implementationId, apiVersion: this.#apiVersion };
    return { ...scope, resource, principalId, query };
  }
}

const NONCES_PER_FILL = 256;

/** Random bytes drawn for many cursors at once: a call for a few of them costs as much as one for thousands. */
class NoncePool {
  readonly #bytes = new Uint8Array(NONCES_PER_FILL * PAGE_CURSOR_NONCE_BYTES);
  #used = this.#bytes.byteLength;

  next(): Uint8Array {
    if (this.#used === this.#bytes.byteLength) {
      randomFillSync(this.#bytes);
      this.#used = 0;
    }
    this.#used += PAGE_CURSOR_NONCE_BYTES;
    return this.#bytes.slice(this.#used - PAGE_CURSOR_NONCE_BYTES, this.#used);
  }
}
