import { quote } from '../../text/strings.ts';
import { type Collation, type Collations, NO_COLLATIONS } from '../collation/collation.ts';
import { parsePointer } from '../pointer/pointer.ts';

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
export class SortError extends Error {
  override readonly name = 'SortError';
  readonly code = 'invalid_sort';
  readonly retryable = false;
}

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
    if (seen.has(pointer)) throw new SortError(`the sort order names the field ${quote(pointer)} twice`);
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
