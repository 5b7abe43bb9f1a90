import {
  type AnyDiscoveryDocument,
  type Collection,
  CollectionError,
  parseCollection,
  type Resource,
} from 'rostack-core';
import { HttpProblemError, PageCursorExpiredError, ResponseError, UsageError } from '../error/index.ts';
import { readRecord } from '../record/record-schema.ts';
import { checkResourceFilter, findResource } from '../resource/find-resource.ts';
import type { JsonApi } from '../resource/json-api.ts';
import { collectionUrl } from './collection-url.ts';
import type { ListOptions, ListPage } from './list-options.ts';
import { FIRST_PAGE, followPage, type PageSequence } from './page-sequence.ts';

const DEFAULT_PAGE_SIZE = 500;

/** Reads one chain of pages, each when it is asked for. @throws ClientError */
export async function* readPages<T>(
  api: JsonApi,
  name: string,
  options: ListOptions<T>,
): AsyncGenerator<ListPage<T>, void, undefined> {
  const { resource, limit, first } = await api.withFreshDiscovery(() => begin(api, name, options));
  let collection = first;
  let sequence = followPage(FIRST_PAGE, first, limit);
  for (;;) {
    const records = collection.items.map((item) => readRecord(options.schema, item, `a record of ${name}`));
    yield { records, eventCursor: sequence.eventCursor };
    if (sequence.isComplete) return;
    const url = pageUrl(resource, options, limit, sequence);
    collection = await readCollection(api, resource, url, options.signal, sequence);
    sequence = followPage(sequence, collection, limit);
  }
}

async function begin<T>(
  api: JsonApi,
  name: string,
  options: ListOptions<T>,
): Promise<{ readonly resource: Resource; readonly limit: number; readonly first: Collection }> {
  const { document } = await api.discover(options.signal);
  const resource = findResource(document, name);
  checkResourceFilter(document, resource, options.filter);
  const limit = pageSizeOf(document, options.pageSize);
  const url = pageUrl(resource, options, limit, FIRST_PAGE);
  return { resource, limit, first: await readCollection(api, resource, url, options.signal, FIRST_PAGE) };
}

function pageUrl(
  resource: Resource,
  { filter, sort, fields }: Pick<ListOptions<unknown>, 'filter' | 'sort' | 'fields'>,
  limit: number,
  { nextCursor }: PageSequence,
): string {
  return collectionUrl(resource.collection_url, {
    filter: filter === undefined ? undefined : JSON.stringify(filter),
    sort: sort === undefined || sort.length === 0 ? undefined : sort.join(','),
    fields: fields === undefined || fields.length === 0 ? undefined : fields.join(','),
    limit: String(limit),
    cursor: nextCursor,
  });
}

async function readCollection(
  api: JsonApi,
  resource: Resource,
  url: string,
  signal: AbortSignal | undefined,
  { isFirst }: PageSequence,
): Promise<Collection> {
  try {
    const { value } = await api.getJson(url, { signal });
    return parseCollection(value, resource);
  } catch (error) {
    if (error instanceof CollectionError) throw new ResponseError(error.message, { cause: error });
    if (!isFirst && error instanceof HttpProblemError && error.code === 'invalid-cursor') {
      throw new PageCursorExpiredError('the cursor of the next page has expired: list again', {
        cause: error,
      });
    }
    throw error;
  }
}

function pageSizeOf({ capabilities }: AnyDiscoveryDocument, asked: number | undefined): number {
  const { max_page_size: max } = capabilities;
  if (asked === undefined) return Math.min(DEFAULT_PAGE_SIZE, max);
  if (!Number.isInteger(asked) || asked < 1 || asked > max) {
    throw new UsageError(`pageSize is a whole number from 1 to ${max}, the server's maximum`);
  }
  return asked;
}
