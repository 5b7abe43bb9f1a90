import type { JsonObject, Position } from 'rostack-core';

/** A whole set that a follow was given. */
export interface ObservedSet {
  /** `restored`: what was stored before the client was started again; `taken`: a snapshot of the server. */
  readonly kind: 'restored' | 'taken';
  readonly position: Position;
  readonly records: ReadonlyMap<string, JsonObject>;
}

/** An event that a follow was given. */
export interface ObservedEvent {
  readonly kind: 'event';
  readonly position: Position;
  readonly eventId: string;
  readonly eventType: string;
  readonly id: string;
  readonly version: string;
  /** The record after the event; undefined when it is no more in the set. */
  readonly record: JsonObject | undefined;
}

export type Observation = ObservedSet | ObservedEvent;

/** One follow and all that it was given, in order. */
export interface ObservedFollow {
  readonly name: string;
  readonly resource: string;
  readonly filter: JsonObject | undefined;
  readonly observations: readonly Observation[];
  /** What its state store holds at the end. */
  readonly state: ReadonlyMap<string, JsonObject>;
}
