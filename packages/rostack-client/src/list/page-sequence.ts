import type { Collection } from 'rostack-core';
import { ResponseError } from '../error/index.ts';

/** Where a chain of pages stands. */
export interface PageSequence {
  /** Undefined before the first page. */
  readonly eventCursor: string | undefined;
  /** Of the page to ask for; undefined for the first one. */
  readonly nextCursor: string | undefined;
  readonly isFirst: boolean;
  readonly isComplete: boolean;
  /** Pages without a record since the last page with one. */
  readonly emptyPages: number;
}

export const FIRST_PAGE: PageSequence = {
  eventCursor: undefined,
  nextCursor: undefined,
  isFirst: true,
  isComplete: false,
  emptyPages: 0,
};

/** How many pages in a row may hold no record, so that no server keeps a client busy for ever with nothing. */
const MAX_EMPTY_PAGES = 1_000;

/**
 * Takes the next page of a chain.
 * @throws ResponseError `invalid_response` for a page that cannot belong to one consistent chain
 * @see protocol section 5
 */
export function followPage(sequence: PageSequence, { items, page }: Collection, limit: number): PageSequence {
  const { next_cursor: nextCursor, has_more: hasMore, event_cursor: eventCursor } = page;
  if (items.length > limit) throw new ResponseError(`a page holds more than the ${limit} records asked for`);
  if (hasMore !== (nextCursor !== null)) {
    throw new ResponseError('a page has a next_cursor without has_more, or has_more without a next_cursor');
  }
  if (!sequence.isFirst && eventCursor !== sequence.eventCursor) {
    throw new ResponseError('event_cursor changes within one chain of pages');
  }
  if (nextCursor !== null && nextCursor === sequence.nextCursor) {
    throw new ResponseError('a page leads to itself');
  }
  const emptyPages = items.length === 0 ? sequence.emptyPages + 1 : 0;
  if (hasMore && emptyPages > MAX_EMPTY_PAGES) {
    throw new ResponseError(`${MAX_EMPTY_PAGES} pages in a row hold no record`);
  }
  return {
    eventCursor,
    nextCursor: nextCursor ?? undefined,
    isFirst: false,
    isComplete: !hasMore,
    emptyPages,
  };
}
