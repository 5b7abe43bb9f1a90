import type { AnyDiscoveryDocument, Collection, CollectionError, Resource } from 'rostack-core';
import { hasCode, parseCollection } from 'rostack-core/client';
import { loadFilters, loadLaterParts } from '../connection/platform/platform.ts';
import { findResource } from '../http/discovery-cache.ts';
import { PageCursorExpiredError, ResponseError, UsageError } from '../http/error/errors.ts';
import { isProblem } from '../http/error/is-problem.ts';
import { advise } from './advise.ts';
import type { ComingPages } from './coming-pages.ts';
import type { ApiRequest, JsonApi } from './json-api.ts';
import { readRecord } from './record-ids.ts';
import type { ListOptions, ListPage } from './record-list.ts';

const DEFAULT_PAGE_SIZE = 1_000;
/** How many pages in a row may hold no record, so that no server can keep a client busy forever with nothing. */
const MAX_EMPTY_PAGES = 1_000;

/** How far a chain of pages has been read. */
interface PageSequence {
  /** Undefined before the first page. */
  readonly eventCursor: string | undefined;
  /** Cursor of the page to ask for; undefined for the first one, and after the last one. */
  readonly nextCursor: string | undefined;
  readonly isFirst: boolean;
  /** Pages without a record since the last page with one. */
  readonly emptyPages: number;
}

const FIRST_PAGE: PageSequence = {
  eventCursor: undefined,
  nextCursor: undefined,
  isFirst: true,
  emptyPages: 0,
};

export interface ChainOptions<T> extends ListOptions<T> {
  /**
   * Called while a page comes: whether the page after it will be needed, and is to be asked for at once.
   * @default each page is only asked for when it is needed
   */
  readonly readsAhead?: () => boolean;
}

/** Reads one chain of pages. @throws ClientError */
export async function* readPages<T>(
  api: JsonApi,
  name: string,
  options: ChainOptions<T>,
): AsyncGenerator<ListPage<T>, void, undefined> {
  const { resource, limit, first } = await api.withFreshDiscovery(() => begin(api, name, options));
  let collection = first;
  let sequence = followPage(FIRST_PAGE, first, limit);
  const { signal, readsAhead } = options;
  const ask = (cursor: string, request: ApiRequest): Promise<Collection> =>
    readCollection(api, resource, pageUrl(resource, options, limit, cursor), request, false);
  let coming: ComingPages | undefined;
  try {
    for (;;) {
      const records = collection.items.map((item) => readRecord(options.schema, item, `a record of ${name}`));
      yield { records, eventCursor: sequence.eventCursor };
      if (sequence.nextCursor === undefined) return;
      if (readsAhead !== undefined)
        coming ??= new (await loadLaterParts()).ComingPages(ask, readsAhead, signal);
      collection = await (coming?.take(sequence.nextCursor) ?? ask(sequence.nextCursor, { signal }));
      sequence = followPage(sequence, collection, limit);
    }
  } finally {
    coming?.close();
  }
}

/** The newest event position, read with the smallest possible page. @throws ClientError */
export async function readEventCursor(
  api: JsonApi,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { first } = await api.withFreshDiscovery(() => begin(api, name, { pageSize: 1, signal }));
  return first.page.event_cursor;
}

async function begin<T>(
  api: JsonApi,
  name: string,
  options: ListOptions<T>,
): Promise<{ readonly resource: Resource; readonly limit: number; readonly first: Collection }> {
  const { document } = await api.discover(options.signal);
  const resource = findResource(document, name);
  if (options.filter !== undefined) {
    (await loadFilters()).checkResourceFilter(document, resource, options.filter);
  }
  const limit = pageSizeOf(document, options.pageSize);
  const url = pageUrl(resource, options, limit, undefined);
  const first = await readCollection(api, resource, url, { signal: options.signal }, true);
  if (options.filter !== undefined && first.items.length === 0 && !first.page.has_more)
    await advise(api, resource, options.filter, options.signal);
  return { resource, limit, first };
}

function pageUrl(
  resource: Resource,
  { filter, sort, fields }: Pick<ListOptions<unknown>, 'filter' | 'sort' | 'fields'>,
  limit: number,
  cursor: string | undefined,
): string {
  return collectionUrl(resource.collection_url, {
    filter: filter === undefined ? undefined : JSON.stringify(filter),
    sort: sort === undefined || sort.length === 0 ? undefined : sort.join(','),
    fields: fields === undefined || fields.length === 0 ? undefined : fields.join(','),
    limit: String(limit),
    cursor,
  });
}

async function readCollection(
  api: JsonApi,
  resource: Resource,
  url: string,
  request: ApiRequest,
  isFirst: boolean,
): Promise<Collection> {
  try {
    const { value } = await api.getJson(url, request);
    return parseCollection(value, resource);
  } catch (error) {
    if (hasCode<CollectionError>(error, 'invalid_collection'))
      throw new ResponseError(error.message, { cause: error });
    if (!isFirst && isProblem(error, 'invalid-cursor')) {
      throw new PageCursorExpiredError('the cursor of the next page has expired: list again', {
        cause: error,
      });
    }
    throw error;
  }
}

/** Records per page by default. */
export function defaultPageSize({ capabilities }: AnyDiscoveryDocument): number {
  return Math.min(DEFAULT_PAGE_SIZE, capabilities.max_page_size);
}

function pageSizeOf(document: AnyDiscoveryDocument, asked: number | undefined): number {
  const { max_page_size: max } = document.capabilities;
  if (asked === undefined) return defaultPageSize(document);
  if (!Number.isInteger(asked) || asked < 1 || asked > max) {
    throw new UsageError(`pageSize is an integer from 1 to ${max}, the server's maximum`);
  }
  return asked;
}

/**
 * Checks the next page of a chain.
 * @throws ResponseError `invalid_response` for a page that cannot belong to one consistent chain
 * @see protocol section 5
 */
function followPage(sequence: PageSequence, { items, page }: Collection, limit: number): PageSequence {
  const { next_cursor: nextCursor, has_more: hasMore, event_cursor: eventCursor } = page;
  if (items.length > limit) throw new ResponseError(`a page has more than the ${limit} records asked for`);
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
    throw new ResponseError(`${MAX_EMPTY_PAGES} pages in a row have no record`);
  }
  return {
    eventCursor,
    nextCursor: nextCursor ?? undefined,
    isFirst: false,
    emptyPages,
  };
}

/** The URL of one page: that of the collection with the parameters in its query. */
export function collectionUrl(
  collection: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  if (given.length === 0) return collection;
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${collection}${collection.includes('?') ? '&' : '?'}${query}`;
}
