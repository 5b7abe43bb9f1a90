import { collationKey } from '../query/collation/collation.ts';
import { resolvePointer } from '../query/pointer/pointer.ts';
import type { SortKey } from '../query/sort/sort.ts';
import type { JsonScalar, JsonValue } from '../text/json.ts';
import { compareCodePoints } from '../text/strings.ts';
import type { PageKey } from './record-source.ts';

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
