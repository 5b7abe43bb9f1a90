import {
  type AnyDiscoveryDocument,
  type EventPosition,
  encodeEventCursor,
  eventScopeTag,
  type PositionTexts,
  type Principal,
} from 'rostack-core';
import { boundedCache } from '../guard/bounded-cache.ts';
import type { CursorKeys } from '../options/cursor-keys.ts';
import { PageCursorSeal, type PageCursorState } from './page-cursor.ts';

/** What cursors are bound to, besides the implementation and its API version. */
export interface CursorScope {
  readonly resource: string;
  readonly principal: Principal;
  /** `Visibility.digest`: who may see other rows than before does not go on from a cursor. */
  readonly rows: string;
}

/** What a page cursor is bound to. */
export interface PageScope extends CursorScope {
  /** Equal for queries that mean the same. */
  readonly query: string;
}

const MAX_CACHED_TAGS = 10_000;
const PERIOD_MS = 300_000;
/** How long a page cursor lives at least; a store that keeps its history for less ends chains earlier. */
export const PAGE_CURSOR_LIFETIME_MS = 900_000;

/** Writes and reads the cursors of one implementation (protocol section 10). */
export class Cursors {
  readonly #implementationId: string;
  readonly #apiVersion: string;
  readonly #eventKey: Uint8Array;
  readonly #seal: PageCursorSeal;
  readonly #eventTags = boundedCache<string>(MAX_CACHED_TAGS);

  constructor({ id, api_version }: AnyDiscoveryDocument['implementation'], { pages, events }: CursorKeys) {
    this.#implementationId = id;
    this.#apiVersion = api_version;
    this.#eventKey = events;
    this.#seal = new PageCursorSeal(pages);
  }

  /** Pages made within one period may be sent again: their cursors live at least as long as fresh ones should. */
  periodOf(nowMs: number): number {
    return Math.floor(nowMs / PERIOD_MS);
  }

  /** The cursor lives 15 minutes from the end of the present period. */
  encodePage(place: PageCursorState, scope: PageScope, nowMs: number): string {
    const periodEndMs = (this.periodOf(nowMs) + 1) * PERIOD_MS;
    return this.#seal.seal(place, this.#scopeText(scope), periodEndMs + PAGE_CURSOR_LIFETIME_MS);
  }

  /** @throws HttpProblem invalid-cursor */
  decodePage(cursor: string, scope: PageScope, nowMs: number): PageCursorState {
    return this.#seal.open(cursor, this.#scopeText(scope), nowMs);
  }

  /** @param texts how the position is written; undefined: in decimal */
  encodeEvent(
    position: EventPosition,
    { resource, principal, rows }: CursorScope,
    texts: PositionTexts | undefined,
  ): string {
    const key = `${resource} ${rows} ${principal.id}`;
    let tag = this.#eventTags.get(key);
    if (tag === undefined) {
      const scope = { implementationId: this.#implementationId, apiVersion: this.#apiVersion };
      tag = eventScopeTag({ ...scope, resource, principalId: principal.id, rows }, this.#eventKey);
      this.#eventTags.set(key, tag);
    }
    return encodeEventCursor(tag, position, texts);
  }

  #scopeText({ resource, principal, rows, query }: PageScope): string {
    return JSON.stringify([
      'page-cursor',
      this.#implementationId,
      this.#apiVersion,
      resource,
      principal.id,
      rows,
      query,
    ]);
  }
}
