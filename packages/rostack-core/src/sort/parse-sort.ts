import { parsePointer } from '../pointer/index.ts';
import { quote } from '../text/quote.ts';
import type { SortKey } from './sort.ts';
import { SortError } from './sort-error.ts';

// sort = key *( "," key ); key = [ "-" ] json-pointer. A comma that no key follows belongs to the pointer before it.
const BETWEEN_KEYS = /,(?=-?\/)/;

/**
 * Reads the `sort` parameter: sortable fields as JSON Pointers, separated by commas, `-` in front for descending.
 * @param sortableFields the resource's `filtering.sortable_fields`
 * @throws SortError `invalid_sort` when a key is no sortable field or stands twice
 * @see protocol section 5
 */
export function parseSort(text: string, sortableFields: readonly string[]): SortKey[] {
  const seen = new Set<string>();
  return text.split(BETWEEN_KEYS).map((key) => {
    const descending = key.startsWith('-');
    const pointer = descending ? key.slice(1) : key;
    if (!sortableFields.includes(pointer)) throw new SortError(notSortable(pointer, sortableFields));
    if (seen.has(pointer)) throw new SortError(`the sort order names the field ${quote(pointer)} twice`);
    seen.add(pointer);
    return { pointer, path: parsePointer(pointer), descending };
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
