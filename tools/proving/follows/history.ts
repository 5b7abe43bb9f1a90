import {
  type Change,
  compileFilter,
  type JsonObject,
  type Position,
  type Predicate,
  parseFilter,
} from 'rostack-core';

/** One change of a log, with the record before and after it parsed. */
export interface LoggedChange {
  readonly change: Change;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** The changes that last wrote the records that match as of a position, by id. */
export function stateAt(
  changes: readonly LoggedChange[],
  position: Position,
  matches: Predicate,
): Map<string, LoggedChange> {
  const state = new Map<string, LoggedChange>();
  for (const logged of changes) {
    const { change, after } = logged;
    if (change.position > position) break;
    if (after !== undefined && matches(after)) state.set(change.id, logged);
    else state.delete(change.id);
  }
  return state;
}

/** The predicate of a filter; without one everything matches. */
export function predicateOf(filter: JsonObject | undefined): Predicate {
  return filter === undefined ? () => true : compileFilter(parseFilter(filter));
}

/** A place in the history of one resource. */
export interface Place {
  readonly epoch: string;
  readonly position: Position;
  readonly tag: string;
}

/** The place that an event cursor names: `1.<scope>.<epoch>.<position>`, and the tag where there is one. */
export function placeOf(cursor: string): Place {
  const [, , epoch = '', text = '', tag = ''] = cursor.split('.');
  const position = Number(text);
  if (text === '' || !Number.isSafeInteger(position)) throw new Error(`no position in the cursor ${cursor}`);
  return { epoch, position, tag };
}
