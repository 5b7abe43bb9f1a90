import { defineError } from '../../text/define-error.ts';
import type { JsonScalar, JsonValue } from '../../text/json.ts';
import { compareCodePoints, quote } from '../../text/strings.ts';
import { type Collation, type Collations, collationKey, NO_COLLATIONS } from '../collation/collation.ts';
import { parsePointer, resolvePointer } from '../pointer/pointer.ts';

/** One key of a sort order (protocol section 5, `sort`). */
export interface SortKey {
  /** JSON Pointer of the field (RFC 6901). */
  readonly pointer: string;
  /** The pointer's reference tokens, unescaped. */
  readonly path: readonly string[];
  /** Whether the largest value comes first. */
  readonly descending: boolean;
  /** How strings compare, if not by code point. */
  readonly collation?: Collation;
}

/** The sort order is malformed, or names a field that is not sortable. */
export class SortError extends defineError('SortError', 'invalid_sort', false) {}

// sort = key *( "," key ); key = [ "-" ] json-pointer. A comma that no key follows belongs to the pointer before it.
const BETWEEN_KEYS = /,(?=-?\/)/;

/**
 * Parses the `sort` parameter: sortable fields as JSON Pointers, separated by commas, `-` in front for descending.
 * @param sortableFields the resource's `filtering.sortable_fields`
 * @param collations of the fields; see `fieldCollations`. @default none
 * @throws SortError `invalid_sort` when a key is not a sortable field or is repeated
 * @see protocol section 5
 */
export function parseSort(
  text: string,
  sortableFields: readonly string[],
  collations: Collations = NO_COLLATIONS,
): SortKey[] {
  const seen = new Set<string>();
  return text.split(BETWEEN_KEYS).map((key) => {
    const descending = key.startsWith('-');
    const pointer = descending ? key.slice(1) : key;
    if (!sortableFields.includes(pointer)) throw new SortError(notSortable(pointer, sortableFields));
    if (seen.has(pointer)) throw new SortError(`the sort order repeats the field ${quote(pointer)}`);
    seen.add(pointer);
    const path = parsePointer(pointer);
    const collation = collations.get(pointer);
    return { pointer, path, descending, ...(collation !== undefined && { collation }) };
  });
}

/** The `sort` parameter of a sort order. */
export function formatSort(sort: readonly SortKey[]): string {
  return sort.map(({ pointer, descending }) => (descending ? `-${pointer}` : pointer)).join(',');
}

function notSortable(pointer: string, sortableFields: readonly string[]): string {
  const list = sortableFields.join(', ');
  const hint = list === '' ? 'this resource has no sortable fields' : `sortable fields: ${list}`;
  return `${quote(pointer)} is not a sortable field; ${hint}`;
}

/** The last row of a page: the value of each sort key (`undefined` if the field is missing), then the text of the id. */
export interface PageKey {
  /** In the order of `PageQuery.sort`. */
  readonly values: readonly (null | boolean | number | string | undefined)[];
  /** Text of the id, see `recordIdText`. */
  readonly id: string;
}

/** A parsed record with the text of its id. */
export interface IdentifiedRecord {
  /** Text of the id, see `recordIdText`; it breaks ties. */
  readonly id: string;
  /** The record, parsed. */
  readonly value: JsonValue;
}

/**
 * Compares records in a sort order: missing, null, false, true, numbers, strings by code point. Arrays and objects count as missing, and
 * fields that have a collation compare by value. `descending` reverses a key; ties are broken by the text of the id, always ascending.
 * @see protocol section 10
 */
export function compareRecords(
  sort: readonly SortKey[],
): (a: IdentifiedRecord, b: IdentifiedRecord) => number {
  const compare = comparePageKeys(sort);
  return (a, b) => compare(pageKeyOf(a, sort), pageKeyOf(b, sort));
}

/** Compares the places of two rows in a sort order, by the same rules as `compareRecords`. */
export function comparePageKeys(sort: readonly SortKey[]): (a: PageKey, b: PageKey) => number {
  return (a, b) => {
    // By index: pairs made of entries cost more than the comparison.
    for (let index = 0; index < sort.length; index += 1) {
      const { descending, collation } = sort[index] as SortKey;
      const left = a.values[index];
      const right = b.values[index];
      const order =
        collation !== undefined && typeof left === 'string' && typeof right === 'string'
          ? compareCodePoints(collationKey(collation, left), collationKey(collation, right))
          : compareSortValues(left, right);
      if (order !== 0) return descending ? -order : order;
    }
    return compareCodePoints(a.id, b.id);
  };
}

/** The place of a record in a sort order: the value of each key, and its id. */
export function pageKeyOf({ id, value }: IdentifiedRecord, sort: readonly SortKey[]): PageKey {
  return { values: sort.map(({ path }) => sortable(resolvePointer(value, path))), id };
}

function sortable(value: JsonValue | undefined): JsonScalar | undefined {
  return typeof value === 'object' && value !== null ? undefined : value;
}

function compareSortValues(a: JsonScalar | undefined, b: JsonScalar | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  return rankOf(a) - rankOf(b);
}

function rankOf(value: JsonScalar | undefined): number {
  if (value === undefined) return 0;
  if (value === null) return 1;
  if (value === false) return 2;
  if (value === true) return 3;
  return typeof value === 'number' ? 4 : 5;
}
