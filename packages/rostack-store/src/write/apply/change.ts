import type {
  ImplementationTypes,
  JsonObject,
  Position,
  RecordId,
  ResourceTypes,
  Transition,
} from 'rostack-core';

/** Names of a resource's events for some transitions. */
export type EventNames<Types extends ResourceTypes, Kind extends Transition> = {
  [Name in keyof Types['events'] & string]: [Extract<Types['events'][Name]['transition'], Kind>] extends [
    never,
  ]
    ? never
    : Name;
}[keyof Types['events'] & string];

/** Names of events, by the transition that they are for. */
export interface EventsByTransition<
  Created extends string = string,
  Updated extends string = string,
  Deleted extends string = string,
> {
  /** For changes that create a record; undefined if the resource declares none. */
  readonly create?: Created | undefined;
  /** For changes that replace a record. */
  readonly update?: Updated | undefined;
  /** For changes that delete a record. */
  readonly delete?: Deleted | undefined;
}

interface ChangeBase<ResourceName extends string, EventName extends string, Events> {
  readonly resource: ResourceName;
  /**
   * Name of the event to log, or one name for each transition that the change may turn out to be.
   * @default the one event that the resource declares for the transition, or none
   */
  readonly event?: EventName | Events | undefined;
  /** The version that the record must have before this change; null if there must be no such record. @default any */
  readonly expectedVersion?: string | null | undefined;
}

/** Writes a record as a whole: creates it, or replaces the one with its id. */
export interface PutChange<
  ResourceName extends string = string,
  RecordType = object,
  EventName extends string = string,
  Events = EventsByTransition,
> extends ChangeBase<ResourceName, EventName, Events> {
  /** Distinguishes it from a delete. */
  readonly op: 'put';
  /**
   * The whole record, by the schema of its resource; its id is the member that the resource's `id` pointer leads to.
   */
  readonly record: RecordType;
}

/** Deletes a record; changes nothing if there is none. */
export interface DeleteChange<
  ResourceName extends string = string,
  EventName extends string = string,
  Events = EventsByTransition,
> extends ChangeBase<ResourceName, EventName, Events> {
  /** Distinguishes it from a put. */
  readonly op: 'delete';
  /** The id as it is in the record, or its text. */
  readonly id: RecordId;
}

/** The record that a change writes; if its type is not known, any object, including one whose type is an interface. */
type Written<Types extends ResourceTypes> = JsonObject extends Types['record'] ? object : Types['record'];

type NamedEvents<Types extends ResourceTypes> = EventsByTransition<
  EventNames<Types, 'create'>,
  EventNames<Types, 'update'>,
  EventNames<Types, 'delete'>
>;

/** One change of a batch. */
export type StoreChange<Types extends ImplementationTypes = ImplementationTypes> = {
  [Name in keyof Types & string]:
    | PutChange<
        Name,
        Written<Types[Name]>,
        EventNames<Types[Name], 'create' | 'update'>,
        NamedEvents<Types[Name]>
      >
    | DeleteChange<Name, EventNames<Types[Name], 'delete'>, NamedEvents<Types[Name]>>;
}[keyof Types & string];

/** The result of a change. */
export interface ChangeResult {
  /** Name of the resource. */
  readonly resource: string;
  /** Text of the record's id. */
  readonly id: string;
  /** False for a put equal to the current record and for a delete of nothing. */
  readonly changed: boolean;
  /** What the change did to the record; undefined if it changed nothing. */
  readonly transition: Transition | undefined;
  /** Position of the change, or of the current version if nothing changed; undefined if there is no record. */
  readonly position: Position | undefined;
  /** Version after the change (for a delete, the version of the deletion); undefined if there is no record. */
  readonly version: string | undefined;
}
