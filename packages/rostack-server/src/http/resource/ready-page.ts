import { Buffer } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import type { Head } from 'rostack-core';

/** A cached first page for one principal, to which its cursors are bound. */
export interface ReadyPage {
  /** The head of the page's snapshot. */
  readonly head: Head;
  /** Whether it continues from a cursor. */
  readonly isLater: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const END = Buffer.from(']}');
const ENTRY_OVERHEAD_BYTES = 256;
/** Share of the memory for the names of queries requested once: about as many as there is room for pages of 10 kB. */
const NAMES_SHARE = 1 / 32;

/**
 * A collection with its `page` member (protocol section 5). Cursors are ASCII. `page` comes first, so that a streaming reader knows the
 * next page before the records.
 */
export function encodeCollection(
  bodies: Uint8Array,
  nextCursor: string | undefined,
  eventCursor: string | undefined,
): Buffer<ArrayBuffer> {
  const next = nextCursor === undefined ? 'null' : `"${nextCursor}"`;
  const event = eventCursor === undefined ? '' : `,"event_cursor":"${eventCursor}"`;
  const page = `{"page":{"next_cursor":${next},"has_more":${nextCursor !== undefined}${event}},"items":[`;
  return Buffer.concat([Buffer.from(page, 'latin1'), bodies, END]);
}

/**
 * Caches the first pages of queries from their second request on. A query requested once leaves only its name, and names have a bounded
 * part of the memory. A page is valid as long as the head is the one that it shows, which the caller compares.
 */
export class PageCache {
  readonly #pages: LRUCache<string, ReadyPage>;
  readonly #askedOnce: LRUCache<string, true>;
  #period = Number.NEGATIVE_INFINITY;

  /** @param maxBytes at least 1 */
  constructor(maxBytes: number) {
    const nameBytes = (key: string) => ENTRY_OVERHEAD_BYTES + key.length;
    this.#askedOnce = new LRUCache({
      maxSize: Math.max(1, Math.floor(maxBytes * NAMES_SHARE)),
      sizeCalculation: (_, key) => nameBytes(key),
    });
    this.#pages = new LRUCache({
      maxSize: Math.max(1, Math.floor(maxBytes * (1 - NAMES_SHARE))),
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
      sizeCalculation: ({ bytes }, key) => nameBytes(key) + bytes.byteLength,
    });
  }

  /** Bytes of the pages and their names. */
  get bytes(): number {
    return this.#pages.calculatedSize + this.#askedOnce.calculatedSize;
  }

  get(key: string): ReadyPage | undefined {
    return this.#pages.get(key);
  }

  /** @param period of the page's cursors, which is part of the key: pages of earlier periods are no longer requested */
  put(key: string, page: ReadyPage, period: number): void {
    if (period > this.#period) {
      this.#period = period;
      this.#pages.clear();
      this.#askedOnce.clear();
    }
    if (this.#pages.has(key) || this.#askedOnce.delete(key)) this.#pages.set(key, withOwnMemory(page));
    else this.#askedOnce.set(key, true);
  }
}

/** A small page is a slice of Node's buffer pool, and would keep all 8 KiB of it in memory. */
function withOwnMemory(page: ReadyPage): ReadyPage {
  const { bytes } = page;
  return bytes.buffer.byteLength === bytes.byteLength ? page : { ...page, bytes: new Uint8Array(bytes) };
}
