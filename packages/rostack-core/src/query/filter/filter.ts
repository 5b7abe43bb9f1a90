import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject } from '../../text/json.ts';
import type { Collation } from '../collation/collation.ts';
import type { FilterOperator } from './operator-names.ts';
import { FILTER_OPERATORS, type FilterOperand } from './operators.ts';

/** One operator applied to one field. */
export interface FilterComparison {
  /** Distinguishes it from combinations of filters. */
  readonly kind: 'comparison';
  /** JSON Pointer of the field (RFC 6901), never empty. */
  readonly pointer: string;
  /** The pointer's reference tokens, unescaped. */
  readonly path: readonly string[];
  /** One of the twelve operators (protocol section 6). */
  readonly operator: FilterOperator;
  /** What the field is compared with, of the kind that the operator takes; see `FILTER_OPERATORS`. */
  readonly operand: FilterOperand;
  /** How strings compare, if not by code point; set by `collateFilter`. */
  readonly collation?: Collation;
}

/** A parsed filter; `and` and `or` hold at least one. */
export type Filter =
  | FilterComparison
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter };

/** A filter that matches what all of these match, of which there is at least one; `and` is never directly inside `and`. */
export function conjunctionOf(filters: readonly Filter[]): Filter {
  const flat: Filter[] = [];
  for (const filter of filters) {
    if (filter.kind === 'and') flat.push(...filter.filters);
    else flat.push(filter);
  }
  const only = flat[0];
  return flat.length === 1 && only !== undefined ? only : { kind: 'and', filters: flat };
}

/**
 * The JSON of a filter. A filter from `parseFilter` comes back with the same meaning and within the same limits, though
 * members may be in another place.
 * @see protocol section 6
 */
export function filterToJson(filter: Filter): JsonObject {
  switch (filter.kind) {
    case 'comparison':
      return Object.fromEntries([[filter.pointer, { [filter.operator]: filter.operand }]]);
    case 'not':
      return { $not: filterToJson(filter.filter) };
    case 'or':
      return { $or: filter.filters.map(filterToJson) };
    default:
      return conjunctionToJson(filter.filters);
  }
}

/** Puts all filters into one object; those whose member is taken go into `$and`. */
function conjunctionToJson(filters: readonly Filter[]): JsonObject {
  const members = new Map<string, JsonObject | readonly JsonObject[]>();
  const rest: JsonObject[] = [];
  for (const filter of filters) {
    const json = filterToJson(filter);
    const entries = Object.entries(json) as [string, JsonObject][];
    if (filter.kind === 'comparison') addComparison(filter.pointer, json, members, rest);
    else if (entries.some(([name]) => members.has(name) || name === '$and')) rest.push(json);
    else for (const [name, value] of entries) members.set(name, value);
  }
  if (rest.length > 0) members.set('$and', rest);
  return Object.fromEntries(members);
}

function addComparison(
  pointer: string,
  json: JsonObject,
  members: Map<string, JsonObject | readonly JsonObject[]>,
  rest: JsonObject[],
): void {
  const operators = (members.get(pointer) ?? {}) as JsonObject;
  const added = json[pointer] as JsonObject;
  if (Object.keys(added).some((operator) => Object.hasOwn(operators, operator))) rest.push(json);
  else members.set(pointer, { ...operators, ...added });
}

/**
 * The normal form of a filter, which matches the same records. Filters have the same one if they differ only in order,
 * repetition, nesting of `$and` in `$and` or `$or` in `$or`, double negation, or in how they negate a comparison.
 * @see protocol section 6
 */
export function canonicalizeFilter(filter: Filter): Filter {
  switch (filter.kind) {
    case 'comparison':
      return { ...filter, ...FILTER_OPERATORS[filter.operator].normalize?.(filter.operand) };
    case 'not':
      return negation(canonicalizeFilter(filter.filter));
    default:
      return combination(filter.kind, filter.filters.map(canonicalizeFilter));
  }
}

/** Text that is equal for filters of the same normal form, and different otherwise. */
export function canonicalFilterText(filter: Filter): string {
  return textOf(canonicalizeFilter(filter));
}

function negation(filter: Filter): Filter {
  if (filter.kind === 'not') return filter.filter;
  if (filter.kind === 'comparison') {
    const opposite = FILTER_OPERATORS[filter.operator].negate?.(filter.operand);
    if (opposite !== undefined) return { ...filter, ...opposite };
  }
  return { kind: 'not', filter };
}

function combination(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const byText = new Map<string, Filter>();
  for (const filter of filters) {
    const parts = filter.kind === kind ? filter.filters : [filter];
    for (const part of parts) byText.set(textOf(part), part);
  }
  const sorted = [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
  const only = sorted[0];
  return sorted.length === 1 && only !== undefined ? only : { kind, filters: sorted };
}

/** Most filters are one comparison, whose text needs no object. */
function textOf(filter: Filter): string {
  if (filter.kind !== 'comparison') return canonicalJson(filterToJson(filter));
  return `{${JSON.stringify(filter.pointer)}:{"${filter.operator}":${canonicalJson(filter.operand)}}}`;
}

/** SHA-256 of the filter's normal form, 64 hexadecimal digits: equal for filters of the same normal form. */
export function hashFilter(filter: Filter): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalFilterText(filter))));
}
