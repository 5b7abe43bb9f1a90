import { aSignal, aString, objectWith, optional, optionsOf } from 'rostack-core/client';
import { loadLaterParts } from '../connection/platform/platform.ts';
import { findResource } from '../http/discovery-cache.ts';
import { ResponseError, UsageError } from '../http/error/errors.ts';
import { isProblem } from '../http/error/is-problem.ts';
import type { JsonApi } from './json-api.ts';
import { type RecordSchema, readRecord } from './record-ids.ts';

/** Options of `RostackClient.get`. */
export interface GetOptions<T> {
  /**
   * ETag of a revision that the caller has: the answer is `not_modified` while that is the newest.
   * @default none: the record is always returned
   */
  readonly etag?: string;
  /** Validates the record. @default the record is taken as it comes */
  readonly schema?: RecordSchema<T>;
  /**
   * Ends the look-up when it is aborted, with the signal's reason.
   * @default none
   */
  readonly signal?: AbortSignal;
}

export const getOptions = optionsOf<GetOptions<unknown>>({
  etag: optional(aString),
  schema: optional(objectWith('safeParse')),
  signal: optional(aSignal),
});

/**
 * What a look-up found. `absent`: there is none, or the principal may not see it. `gone`: it was deleted for good.
 * @see protocol section 5
 */
export type Item<T> =
  | { readonly kind: 'found'; readonly record: T; readonly etag: string | undefined }
  | { readonly kind: 'not_modified' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'gone' };

/** Reads one record. @throws ClientError */
export function getItem<T>(api: JsonApi, name: string, id: string, options: GetOptions<T>): Promise<Item<T>> {
  return api.withFreshDiscovery(() => readItem(api, name, id, options));
}

async function readItem<T>(api: JsonApi, name: string, id: string, options: GetOptions<T>): Promise<Item<T>> {
  // A path segment of dots would be resolved away, and lead to another resource.
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new UsageError(`${JSON.stringify(id)} cannot be the id of a record`);
  }
  const { document } = await api.discover(options.signal);
  const resource = findResource(document, name);
  const url = await itemUrl(resource.item_url_template, id);
  try {
    const { etag, signal } = options;
    const { status, headers, value } = await api.getJson(url, { signal, etag });
    if (status === 304) {
      if (options.etag !== undefined) return { kind: 'not_modified' };
      throw new ResponseError('the server answered 304 to a request without a condition');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ResponseError('an item is not a JSON object');
    }
    const record = readRecord(options.schema, value, `the record ${id} of ${name}`);
    return { kind: 'found', record, etag: headers.get('etag') ?? undefined };
  } catch (error) {
    if (isProblem(error, 'resource-not-found')) return { kind: 'absent' };
    if (isProblem(error, 'resource-gone')) return { kind: 'gone' };
    throw error;
  }
}

/** The URL of a record. Few templates have more than `{id}`: the code for those is loaded when it is needed. @throws NetworkError */
export async function itemUrl(template: string, id: string): Promise<string> {
  const url = template.replaceAll('{id}', encodeValue(id));
  if (!url.includes('{')) return url;
  const { parseUriTemplate } = await loadLaterParts();
  return parseUriTemplate(template).expand({ id });
}

/** Keeps unreserved characters alone (RFC 6570 section 3.2.2). */
const encodeValue = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
