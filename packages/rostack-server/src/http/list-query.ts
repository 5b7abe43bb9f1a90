import { LRUCache } from 'lru-cache';
import {
  canonicalFilterText,
  checkFilter,
  type FieldSelection,
  type Filter,
  formatSort,
  parseFields,
  parseFilterText,
  parseSort,
  type SortKey,
} from 'rostack-core';
import { Doorkeeper } from './doorkeeper.ts';
import { HttpProblem } from './http-problem.ts';
import { parseQueryString } from './query-string.ts';
import type { ServedRepresentation, ServedResource } from './served-resource.ts';

const PARAMETERS = ['filter', 'sort', 'fields', 'limit', 'cursor'] as const;
const DEFAULT_LIMIT = 50;
const LIMIT = /^[1-9][0-9]{0,9}$/;
const MAX_CACHED_QUERIES = 2_000;

/** The standard parameters of a collection request (protocol section 5), checked against what the resource advertises. */
export interface ListQuery {
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  readonly fields: FieldSelection | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Equal for queries that mean the same; `limit` and `cursor` left out. */
  readonly identity: string;
  /** Names the query, its limit and the representation among all of the app. */
  readonly key: string;
}

/** Reads the queries of one resource; those that come again are remembered by their text. */
export class ListQueryParser {
  readonly #resource: ServedResource;
  readonly #doorkeeper = new Doorkeeper();
  readonly #parsed = new LRUCache<string, ListQuery>({ max: MAX_CACHED_QUERIES });

  constructor(resource: ServedResource) {
    this.#resource = resource;
  }

  /**
   * @param search the query of the URL with its `?`, or empty
   * @throws HttpProblem, FilterError, SortError, FieldsError
   */
  parse(search: string, representation: ServedRepresentation): ListQuery {
    const key = `${representation.mediaType} ${search}`;
    const known = this.#parsed.get(key);
    if (known !== undefined) return known;
    const query = parseListQuery(search, this.#resource, representation);
    if (query.cursor === undefined && this.#doorkeeper.recognises(key)) this.#parsed.set(key, query);
    return query;
  }
}

function parseListQuery(
  search: string,
  { descriptor, capabilities }: ServedResource,
  { mediaType, hasField }: ServedRepresentation,
): ListQuery {
  const parameters = parseQueryString(search, PARAMETERS);
  const filter = parameters.filter === undefined ? undefined : parseFilterText(parameters.filter);
  if (filter !== undefined) checkFilter(filter, descriptor.filtering, capabilities.filter_operators);
  const sort =
    parameters.sort === undefined ? [] : parseSort(parameters.sort, descriptor.filtering.sortable_fields);
  const fields = parameters.fields === undefined ? undefined : parseFields(parameters.fields, hasField);
  const limit = parseLimit(parameters.limit, capabilities.max_page_size);
  const identity = JSON.stringify([
    filter === undefined ? '' : canonicalFilterText(filter),
    formatSort(sort),
    fields?.pointers ?? [],
  ]);
  const key = [descriptor.name, mediaType, limit, identity].join('\n');
  return { filter, sort, fields, limit, cursor: parameters.cursor, identity, key };
}

function parseLimit(text: string | undefined, maxPageSize: number): number {
  if (text === undefined) return Math.min(DEFAULT_LIMIT, maxPageSize);
  const limit = LIMIT.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxPageSize) return limit;
  throw HttpProblem.of(
    'invalid-request',
    `The parameter "limit" must be a whole number from 1 to ${maxPageSize}.`,
  );
}
