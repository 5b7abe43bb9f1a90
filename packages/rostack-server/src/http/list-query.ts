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
import { Doorkeeper, fingerprintOf } from './doorkeeper.ts';
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
  /** Whether it was asked before, and not long ago: then it is the same object each time. */
  readonly isKept: boolean;
}

interface KeptQuery {
  readonly search: string;
  readonly representation: ServedRepresentation;
  readonly query: ListQuery;
}

/** Reads the queries of one resource; those that come again are remembered by their text. */
export class ListQueryParser {
  readonly #resource: ServedResource;
  readonly #doorkeeper = new Doorkeeper();
  /** By fingerprint. */
  readonly #kept = new LRUCache<number, KeptQuery>({ max: MAX_CACHED_QUERIES });

  constructor(resource: ServedResource) {
    this.#resource = resource;
  }

  /**
   * @param search the query of the URL with its `?`, or empty
   * @throws HttpProblem, FilterError, SortError, FieldsError
   */
  parse(search: string, representation: ServedRepresentation): ListQuery {
    const fingerprint = fingerprintOf(search);
    if (!this.#doorkeeper.recognises(fingerprint))
      return parseListQuery(search, this.#resource, representation, false);
    const kept = this.#kept.get(fingerprint);
    if (kept?.search === search && kept.representation === representation) return kept.query;
    const query = parseListQuery(search, this.#resource, representation, true);
    if (query.isKept) this.#kept.set(fingerprint, { search, representation, query });
    return query;
  }
}

function parseListQuery(
  search: string,
  { descriptor, capabilities }: ServedResource,
  { mediaType, hasField }: ServedRepresentation,
  isKnown: boolean,
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
  const { cursor } = parameters;
  return { filter, sort, fields, limit, cursor, identity, key, isKept: isKnown && cursor === undefined };
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
