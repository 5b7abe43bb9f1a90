import type {
  ImplementationTypes,
  JsonObject,
  Position,
  RecordId,
  ResourceTypes,
  Transition,
} from 'rostack-core';

/** Names of the events of a resource that are for some transitions. */
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
   * Name of the event to log, or a name for each transition that the change may turn out to be.
   * @default the one event that the resource declares for the transition, or none
   */
  readonly event?: EventName | Events | undefined;
  /** The version that has to stand before this change; null: there has to be no such record. @default any */
  readonly expectedVersion?: string | null | undefined;
}

/** Writes a record as a whole: creates it, or replaces the one with its id. */
export interface PutChange<
  ResourceName extends string = string,
  RecordType = object,
  EventName extends string = string,
  Events = EventsByTransition,
> extends ChangeBase<ResourceName, EventName, Events> {
  /** Tells it from a delete. */
  readonly op: 'put';
  /**
   * The whole record, by the schema of its resource; its id is the member that the resource's `id` pointer leads to.
   */
  readonly record: RecordType;
}

/** Deletes a record; changes nothing when there is none. */
export interface DeleteChange<
  ResourceName extends string = string,
  EventName extends string = string,
  Events = EventsByTransition,
> extends ChangeBase<ResourceName, EventName, Events> {
  /** Tells it from a put. */
  readonly op: 'delete';
  /** As the record has it, or its text. */
  readonly id: RecordId;
}

/** The record that a change writes; where its type is not known, any object, also one that an interface describes. */
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

/** What became of a change. */
export interface ChangeResult {
  /** Name of the resource. */
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
