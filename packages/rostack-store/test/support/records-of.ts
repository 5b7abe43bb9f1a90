import { compareRecords, compileFilter, type Filter, type JsonValue, type SortKey } from 'rostack-core';
import type { State } from './log-states.ts';

/** Ids and bodies of the records of a state that a chain of pages has to show, in its order. */
export function recordsOf(
  state: State,
  { filter, sort }: { filter: Filter | undefined; sort: readonly SortKey[] },
): [string, string][] {
  const matches = compileFilter(filter ?? { kind: 'and', filters: [] });
  return [...state]
    .map(([id, body]) => ({ id, body, value: JSON.parse(body) as JsonValue }))
    .filter(({ value }) => matches(value))
    .sort(compareRecords(sort))
    .map(({ id, body }) => [id, body]);
}
