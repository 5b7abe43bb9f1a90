import { LRUCache } from 'lru-cache';
import type { PageRows } from './collection-page.ts';
import { Doorkeeper, fingerprintOf } from './doorkeeper.ts';

/** A page as one principal gets it: the cursors in it are bound to the principal. */
export interface ReadyPage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

interface Entry {
  readonly rows: PageRows;
  /** By principal and period of the cursors in it. */
  readonly ready: Map<string, ReadyPage>;
}

const MAX_READY_PER_PAGE = 16;
const ENTRY_OVERHEAD_BYTES = 512;

/**
 * Keeps pages of immutable snapshots as bytes: keyed by query, representation, position and its tag, a key never changes its
 * page, so nothing is ever invalidated; what is not asked for leaves. A page is kept from its second request on.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Entry>;
  readonly #doorkeeper = new Doorkeeper();

  /** @param maxBytes at least 1 */
  constructor(maxBytes: number) {
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
      sizeCalculation: sizeOf,
    });
  }

  get bytes(): number {
    return this.#pages.calculatedSize;
  }

  rows(key: string): PageRows | undefined {
    return this.#pages.get(key)?.rows;
  }

  ready(key: string, audience: string): ReadyPage | undefined {
    return this.#pages.get(key)?.ready.get(audience);
  }

  /** Whether a page was asked for before, and not long ago: others are not here, and not worth keeping. */
  recognises(key: string): boolean {
    return this.#doorkeeper.recognises(fingerprintOf(key));
  }

  put(key: string, audience: string, rows: PageRows, page: ReadyPage): void {
    const known = this.#pages.get(key);
    const ready = known?.ready ?? new Map<string, ReadyPage>();
    const oldest = ready.size >= MAX_READY_PER_PAGE ? ready.keys().next().value : undefined;
    if (oldest !== undefined) ready.delete(oldest);
    ready.set(audience, page);
    this.#pages.set(key, { rows: known?.rows ?? rows, ready });
  }
}

function sizeOf({ rows, ready }: Entry, key: string): number {
  let size = ENTRY_OVERHEAD_BYTES + 2 * key.length + rows.items.byteLength;
  for (const [audience, page] of ready)
    size += ENTRY_OVERHEAD_BYTES + audience.length + page.bytes.byteLength;
  return size;
}
