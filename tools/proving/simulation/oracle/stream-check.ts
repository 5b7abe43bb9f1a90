import { filterTransition, type Predicate, type Transition } from 'rostack-core';
import type { LoggedChange, Place } from '../../follows/history.ts';
import type { ModelResource } from '../store/model-store.ts';

export const showPlace = ({ epoch, position, tag }: Place): string => `${epoch}.${position}.${tag}`;

/** What came after a place. */
export interface StreamedEvent {
  readonly place: Place;
  readonly id: string;
  readonly transition: Transition;
}

/** Compares a bookmark with the log: it is of the history of the place before it, and between the two there is no event. Returns what is wrong. */
export function checkBookmark(
  resource: ModelResource,
  matches: Predicate,
  before: Place,
  bookmark: Place,
): string | undefined {
  const what = `the bookmark ${showPlace(bookmark)} after ${showPlace(before)}`;
  const branch = resource.branchWith(bookmark);
  if (branch === undefined) return `${what}: is of no history`;
  const tagBefore = branch.rows[before.position - 1]?.change.tag ?? '';
  if (before.epoch !== bookmark.epoch || tagBefore !== before.tag) return `${what}: is of another history`;
  const skipped = branch.rows
    .slice(before.position, bookmark.position)
    .find((row) => filterTransition(row.before, row.after, matches) !== undefined);
  return skipped && `${what}: leaves out what happened to ${skipped.change.id} at ${skipped.change.position}`;
}

/**
 * Compares an event with the log: the place before it and its own are of one history, it is what its change is to the
 * filter, and between the two there is no other event. Returns its row, or what is wrong.
 */
export function checkNext(
  resource: ModelResource,
  matches: Predicate,
  before: Place,
  event: StreamedEvent,
): LoggedChange | string {
  const { place, id, transition } = event;
  const what = `the ${transition} of ${id} at ${showPlace(place)} after ${showPlace(before)}`;
  if (place.position <= before.position) return `${what}: came again, or out of order`;
  const branch = resource.branchWith(place);
  if (branch === undefined) return `${what}: is of no history`;
  const tagBefore = branch.rows[before.position - 1]?.change.tag ?? '';
  if (tagBefore !== before.tag) return `${what}: is of another history`;
  for (let position = before.position + 1; position <= place.position; position += 1) {
    const row = branch.rows[position - 1];
    const expected = row && filterTransition(row.before, row.after, matches);
    if (row === undefined || expected === undefined) continue;
    if (position < place.position)
      return `${what}: leaves out the ${expected} of ${row.change.id} at ${position}`;
    return row.change.id === id && expected === transition
      ? row
      : `${what}: is a ${expected} of ${row.change.id}`;
  }
  return `${what}: is no event to the filter`;
}
