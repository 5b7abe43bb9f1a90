import { Buffer } from 'node:buffer';
import { LRUCache } from 'lru-cache';
import type { Head } from 'rostack-core';

/** A first page as one principal gets it: the cursors in it are bound to the principal. */
export interface ReadyPage {
  /** Of the snapshot that the page shows. */
  readonly head: Head;
  /** Whether it goes on from a cursor. */
  readonly isLater: boolean;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const END = Buffer.from(']}');
const ASKED_ONCE = 'asked once';
const ENTRY_OVERHEAD_BYTES = 256;

/**
 * A collection with its `page` member (protocol section 5). Cursors are ASCII. The page comes first: whoever reads it knows the next one
 * before the records.
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
 * Keeps the first pages of queries from their second request on, so that queries that are asked once take no more than their name. A
 * page is right as long as the head is the one that it shows; whoever asks compares them.
 */
export class PageCache {
  readonly #pages: LRUCache<string, ReadyPage | typeof ASKED_ONCE>;

  /** @param maxBytes at least 1 */
  constructor(maxBytes: number) {
    this.#pages = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
      sizeCalculation: (entry, key) =>
        ENTRY_OVERHEAD_BYTES + key.length + (entry === ASKED_ONCE ? 0 : entry.bytes.byteLength),
    });
  }

  /** Of the pages and their names. */
  get bytes(): number {
    return this.#pages.calculatedSize;
  }

  get(key: string): ReadyPage | undefined {
    const entry = this.#pages.get(key);
    return entry === ASKED_ONCE ? undefined : entry;
  }

  put(key: string, page: ReadyPage): void {
    this.#pages.set(key, this.#pages.has(key) ? page : ASKED_ONCE);
  }
}
