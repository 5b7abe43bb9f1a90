import type { JsonObject, Position, RecordId, Transition } from 'rostack-core';

/** Names of events, by the transition that they are for. */
export type EventsByTransition = { readonly [Kind in Transition]?: string | undefined };

interface ChangeBase {
  readonly resource: string;
  /**
   * Name of the event to log, or a name for each transition that the change may turn out to be.
   * @default the one event that the resource declares for the transition, or none
   */
  readonly event?: string | EventsByTransition | undefined;
  /** The version that has to stand before this change; null: there has to be no such record. @default any */
  readonly expectedVersion?: string | null | undefined;
}

/** Writes a record as a whole: creates it, or replaces the one with its id. */
export interface PutChange extends ChangeBase {
  readonly op: 'put';
  readonly record: JsonObject;
}

/** Deletes a record; changes nothing when there is none. */
export interface DeleteChange extends ChangeBase {
  readonly op: 'delete';
  /** As the record has it, or its text. */
  readonly id: RecordId;
}

/** One change of a batch. */
export type StoreChange = PutChange | DeleteChange;

/** What became of a change. */
export interface ChangeResult {
  readonly resource: string;
  /** Text of the record's id. */
  readonly id: string;
  /** False for a put equal to the current record and for a delete of nothing. */
  readonly changed: boolean;
  /** What the change did to the record; undefined where it changed nothing. */
  readonly transition: Transition | undefined;
  /** Position of the change, or of the version that is current unchanged; undefined where there is no record. */
  readonly position: Position | undefined;
  /** Version after the change (of a delete: the deletion's own); undefined where there is no record. */
  readonly version: string | undefined;
}
