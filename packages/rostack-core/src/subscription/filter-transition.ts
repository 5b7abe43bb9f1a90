import type { Predicate } from '../filter/compile-filter.ts';
import type { JsonValue } from '../json.ts';
import type { Transition } from '../record/change.ts';

/**
 * What a change means to a subscription with a filter: entering the filter is a create, staying an update, leaving a delete.
 * @param before the record before the change; undefined, which never matches, for a create
 * @param after the record after the change; undefined for a delete
 * @returns undefined when the subscription does not see the change
 * @see protocol section 7, filtered subscription
 */
export function filterTransition(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  matches: Predicate,
): Transition | undefined {
  const wasIn = before !== undefined && matches(before);
  const isIn = after !== undefined && matches(after);
  if (isIn) return wasIn ? 'update' : 'create';
  return wasIn ? 'delete' : undefined;
}
