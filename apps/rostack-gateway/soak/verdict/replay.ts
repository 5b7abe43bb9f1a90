import {
  type Change,
  compileFilter,
  filterTransition,
  type JsonObject,
  type Position,
  type Predicate,
  parseFilter,
  type Transition,
} from 'rostack-core';

/** One change, parsed. */
export interface ReplayedChange {
  readonly change: Change;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** The event that a change is to a filter. */
export interface ExpectedEvent {
  readonly change: Change;
  readonly transition: Transition;
  /** After the change; undefined for a delete. */
  readonly record: JsonObject | undefined;
}

/** A log that begins with no record, and what follows from it. */
export class Replay {
  readonly start: Position;
  readonly changes: readonly ReplayedChange[];

  constructor(start: Position, changes: readonly Change[]) {
    this.start = start;
    this.changes = changes.map((change) => ({
      change,
      before: parse(change.before),
      after: parse(change.after),
    }));
  }

  get end(): Position {
    return this.start + this.changes.length;
  }

  /** The records that match as of a position, by id. */
  stateAt(position: Position, matches: Predicate): Map<string, JsonObject> {
    const state = new Map<string, JsonObject>();
    for (const { change, after } of this.changes) {
      if (change.position > position) break;
      if (after !== undefined && matches(after)) state.set(change.id, after);
      else state.delete(change.id);
    }
    return state;
  }

  /** The events after a position, up to another one. */
  eventsBetween(after: Position, upTo: Position, matches: Predicate): ExpectedEvent[] {
    const events: ExpectedEvent[] = [];
    for (const { change, before, after: now } of this.changes) {
      if (change.position <= after || change.position > upTo) continue;
      const transition = filterTransition(before, now, matches);
      if (transition === undefined) continue;
      events.push({ change, transition, record: transition === 'delete' ? undefined : now });
    }
    return events;
  }
}

export function predicateOf(filter: JsonObject | undefined): Predicate {
  return filter === undefined ? () => true : compileFilter(parseFilter(filter));
}

function parse(text: string | undefined): JsonObject | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
}
