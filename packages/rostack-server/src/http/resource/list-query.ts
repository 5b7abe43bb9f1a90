import {
  canonicalFilterText,
  checkFilter,
  collateFilter,
  DEFAULT_FILTER_LIMITS,
  type FieldSelection,
  type Filter,
  formatSort,
  parseFields,
  parseFilterText,
  parseSort,
  type SortKey,
} from 'rostack-core';
import { HttpProblem } from '../problem/http-problem.ts';
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
  /** Equal for queries with the same meaning; excludes `limit` and `cursor`. */
  readonly identity: string;
}

/**
 * Reads the query of a collection request.
 * @param search the query of the URL with its `?`, or empty
 * @throws HttpProblem, FilterError, SortError, FieldsError
 */
export function parseListQuery(
  search: string,
  { descriptor, capabilities, release, collations }: ServedResource,
  { hasField }: ServedRepresentation,
): ListQuery {
  const parameters = parseQueryString(search, PARAMETERS);
  const { filtering } = descriptor;
  const parsed =
    parameters.filter === undefined
      ? undefined
      : parseFilterText(parameters.filter, DEFAULT_FILTER_LIMITS, release);
  if (parsed !== undefined) checkFilter(parsed, filtering, capabilities.filter_operators);
  const filter = parsed && collateFilter(parsed, collations);
  const sort =
    parameters.sort === undefined ? [] : parseSort(parameters.sort, filtering.sortable_fields, collations);
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
    `The parameter "limit" must be an integer from 1 to ${maxPageSize}.`,
  );
}

/**
 * Parses the query of a URL: each parameter at most once, and only allowed ones. `+` is a space, as in HTML forms.
 * @param search the query with its `?`, or empty
 * @throws HttpProblem invalid-request
 */
export function parseQueryString<Name extends string>(
  search: string,
  allowed: readonly Name[],
): Partial<Record<Name, string>> {
  const parameters: Partial<Record<Name, string>> = {};
  for (const pair of search.slice(1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const sent = decode(equals === -1 ? pair : pair.slice(0, equals));
    const name = allowed.find((candidate) => candidate === sent);
    if (name === undefined) throw HttpProblem.of('invalid-request', unknownParameter(sent, allowed));
    if (Object.hasOwn(parameters, name)) {
      throw HttpProblem.of('invalid-request', `Query parameter "${name}" is repeated.`);
    }
    parameters[name] = decode(equals === -1 ? '' : pair.slice(equals + 1));
  }
  return parameters;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw HttpProblem.of('invalid-request', 'The query is not percent-encoded UTF-8: write "%" as "%25".');
  }
}

function unknownParameter(sent: string, allowed: readonly string[]): string {
  const known = allowed.length === 0 ? 'this URL takes none' : `use ${allowed.join(', ')}`;
  return `The parameter ${JSON.stringify(sent.slice(0, 64))} is unknown: ${known}.`;
}
