import {
  type Change,
  filterTransition,
  type JsonObject,
  type Position,
  type Predicate,
  type Transition,
} from 'rostack-core';
import { type LoggedChange, stateAt } from '../../follows/history.ts';

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
  readonly #changes: readonly LoggedChange[];

  constructor(start: Position, changes: readonly Change[]) {
    this.start = start;
    this.#changes = changes.map((change) => ({
      change,
      before: parse(change.before),
      after: parse(change.after),
    }));
  }

  get end(): Position {
    return this.start + this.#changes.length;
  }

  /** The records that match as of a position, by id. */
  stateAt(position: Position, matches: Predicate): Map<string, JsonObject> {
    const state = stateAt(this.#changes, position, matches);
    return new Map([...state].map(([id, { after = {} }]) => [id, after]));
  }

  /** The events after a position, up to another one. */
  eventsBetween(after: Position, upTo: Position, matches: Predicate): ExpectedEvent[] {
    const events: ExpectedEvent[] = [];
    for (const { change, before, after: now } of this.#changes) {
      if (change.position <= after || change.position > upTo) continue;
      const transition = filterTransition(before, now, matches);
      if (transition === undefined) continue;
      events.push({ change, transition, record: transition === 'delete' ? undefined : now });
    }
    return events;
  }
}

function parse(text: string | undefined): JsonObject | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
}
