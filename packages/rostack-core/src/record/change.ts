/** A place in one resource's change log: a safe integer, dense and ascending in commit order; 0 is before the first. */
export type Position = number;

/** What a change can do to a record (protocol section 2, `state_transition`). */
export const TRANSITIONS = ['create', 'update', 'delete'] as const;

/** What a change did to its record (protocol section 2, `state_transition`). */
export type Transition = (typeof TRANSITIONS)[number];

/** One entry of a resource's change log. */
export interface Change {
  /** Where the change is in the log; at least 1. */
  readonly position: Position;
  /**
   * Names the transaction that wrote the change: 1 to 32 letters, digits, `-` and `_`, drawn at random; empty for a change that was
   * written without one, and for position 0. Two logs with one epoch and one tag at a position have the same history up to it; a
   * database that was restored and then written to has other tags.
   */
  readonly tag: string;
  /** Unique and stable over all deliveries; consumers drop duplicates by it. */
  readonly eventId: string;
  /** Name of the event descriptor, or undefined if the resource declares none for this transition. */
  readonly eventType: string | undefined;
  /** What the change did to the record. */
  readonly transition: Transition;
  /** Text of the record's id, see `recordIdText`. */
  readonly id: string;
  /** Version after the change; for a delete the version of the deletion itself. */
  readonly version: string;
  /** When it occurred, in ms since 1970; `occurred_at` of the event. */
  readonly occurredAtMs: number;
  /** JSON text of the record before the change; undefined for a create. */
  readonly before: string | undefined;
  /** JSON text of the record after the change; undefined for a delete. */
  readonly after: string | undefined;
}

/** A place in the history of one resource. */
export interface EventPosition {
  /** 1 to 64 letters, digits, `-` and `_`. */
  readonly epoch: string;
  /** The last change that the reader has seen; it continues with the next one. */
  readonly position: Position;
  /** The position's tag, which pins the history up to it: 1 to 32 letters, digits, `-` and `_`, or empty. */
  readonly tag: string;
}
