import {
  canonicalFilterText,
  checkFilter,
  DEFAULT_FILTER_LIMITS,
  type FieldSelection,
  type Filter,
  formatSort,
  parseFields,
  parseFilterText,
  parseSort,
  type SortKey,
} from 'rostack-core';
import { HttpProblem } from './http-problem.ts';
import { parseQueryString } from './query-string.ts';
import type { ServedRepresentation, ServedResource } from './served-resource.ts';

const PARAMETERS = ['filter', 'sort', 'fields', 'limit', 'cursor'] as const;
const DEFAULT_LIMIT = 50;
const LIMIT = /^[1-9][0-9]{0,9}$/;

/** The standard parameters of a collection request (protocol section 5), checked against what the resource advertises. */
export interface ListQuery {
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  readonly fields: FieldSelection | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Equal for queries that mean the same; `limit` and `cursor` left out. */
  readonly identity: string;
}

/**
 * Reads the query of a collection request.
 * @param search the query of the URL with its `?`, or empty
 * @throws HttpProblem, FilterError, SortError, FieldsError
 */
export function parseListQuery(
  search: string,
  { descriptor, capabilities, release }: ServedResource,
  { hasField }: ServedRepresentation,
): ListQuery {
  const parameters = parseQueryString(search, PARAMETERS);
  const filter =
    parameters.filter === undefined
      ? undefined
      : parseFilterText(parameters.filter, DEFAULT_FILTER_LIMITS, release);
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
  return { filter, sort, fields, limit, cursor: parameters.cursor, identity };
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
