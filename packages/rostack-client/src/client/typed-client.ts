import type {
  CheckedPointer,
  EventTypes,
  ImplementationTypes,
  RecordId,
  ResourceTypes,
  SelectedFields,
  TypedFilter,
  TypesOf,
} from 'rostack-core';
import type { Follow, FollowOptions } from '../follow/follow.ts';
import type { ResourceEvent } from '../follow/subscription/resource-event.ts';
import type { SubscribeOptions } from '../follow/subscription/subscribe-options.ts';
import type { Subscription } from '../follow/subscription/subscription.ts';
import type { GetOptions, Item } from '../list/get-item.ts';
import type { ListOptions, RecordList } from '../list/record-list.ts';
import type { RostackClient } from './client.ts';

type FilterOf<Types extends ResourceTypes> = TypedFilter<Types['filterable']>;

/** A record as a list shows it: whole, or the fields that were chosen. */
export type Listed<Types extends ResourceTypes, Field extends string> = [Field] extends [never]
  ? Types['shown']
  : SelectedFields<Types['shown'], Field>;

/** `ListOptions` for a resource whose types are known. */
export interface TypedListOptions<Types extends ResourceTypes, Field extends string, Output>
  extends Omit<ListOptions<Output>, 'filter' | 'sort' | 'fields'> {
  /** Which records (protocol section 6). @default all */
  readonly filter?: FilterOf<Types>;
  /** Sortable fields as JSON Pointers, `-` in front for descending. @default the server's order */
  readonly sort?: readonly (Types['sortable'] | `-${Types['sortable']}`)[];
  /** Fields to keep, as JSON Pointers. @default all */
  readonly fields?: readonly (Field & CheckedPointer<Types['shown'], Field>)[];
}

/** `FollowOptions` for a resource whose types are known. */
export interface TypedFollowOptions<Types extends ResourceTypes, Field extends string, Output>
  extends Omit<FollowOptions<Output>, 'filter' | 'recordId' | 'sort' | 'fields'> {
  /** Keeps the set in this order: sortable fields as JSON Pointers, `-` in front for descending. @default in no order */
  readonly sort?: readonly (Types['sortable'] | `-${Types['sortable']}`)[];
  /** Fields to keep, as JSON Pointers; the id and the fields of `sort` come with them. @default all */
  readonly fields?: readonly (Field & CheckedPointer<Types['shown'], Field>)[];
  /** Which records (protocol section 6); the resource has to advertise `event_filtering`. @default all */
  readonly filter?: FilterOf<Types>;
  /** Where the id of a record is, a JSON Pointer or a function; the set is kept by its text. @see FollowOptions.recordId */
  readonly recordId?: string | ((record: Types['shown']) => RecordId);
}

/** `SubscribeOptions` for a resource whose types are known. */
export interface TypedSubscribeOptions<Types extends ResourceTypes, Name extends keyof Types['events']>
  extends Omit<SubscribeOptions<Types['events'][Name]['data']>, 'filter' | 'eventTypes'> {
  /** Which records' events (protocol section 6); the resource has to advertise `event_filtering`. @default all */
  readonly filter?: FilterOf<Types>;
  /** Names of event descriptors. @default all */
  readonly eventTypes?: readonly Name[];
}

/** One event of a resource whose types are known: its name determines the type of its data. */
export type TypedEvent<
  Events extends Readonly<Record<string, EventTypes>>,
  Name extends keyof Events = keyof Events,
> = {
  [Each in Name]: ResourceEvent<Events[Each]['data']> & {
    readonly eventType: Each;
    readonly data: Events[Each]['data'] | undefined;
  };
}[Name];

/**
 * A `RostackClient` that knows what an implementation serves. A schema in the options checks what comes. Without one, records and data
 * have the types of the implementation, and nothing checks that the server keeps to them.
 */
export interface TypedClient<Types extends ImplementationTypes>
  extends Pick<RostackClient, 'discovery' | 'close' | typeof Symbol.asyncDispose> {
  /** Records of one consistent chain of pages, with the fields that are chosen. See `RostackClient.list`. */
  list<
    Name extends keyof Types & string,
    const Field extends string = never,
    Output = Listed<Types[Name], Field>,
  >(resource: Name, options?: TypedListOptions<Types[Name], Field, Output>): RecordList<Output>;
  /** One record by its id. See `RostackClient.get`. */
  get<Name extends keyof Types & string, Output = Types[Name]['shown']>(
    resource: Name,
    id: RecordId,
    options?: GetOptions<Output>,
  ): Promise<Item<Output>>;
  /** The events of a resource; the name of each determines the type of its data. See `RostackClient.subscribe`. */
  subscribe<
    Name extends keyof Types & string,
    const EventName extends keyof Types[Name]['events'] & string = keyof Types[Name]['events'] & string,
  >(
    resource: Name,
    options?: TypedSubscribeOptions<Types[Name], EventName>,
  ): Subscription<Types[Name]['events'][EventName]['data'], TypedEvent<Types[Name]['events'], EventName>>;
  /** Holds the records of a resource and yields each change. See `RostackClient.follow`. */
  follow<
    Name extends keyof Types & string,
    const Field extends string = never,
    Output = Listed<Types[Name], Field>,
  >(
    resource: Name,
    options?: TypedFollowOptions<Types[Name], Field, Output>,
  ): Follow<Output, keyof Types[Name]['events'] & string>;
}

/** The client of an implementation: typed by resource name if the resources are known, else `RostackClient`. */
export type ClientOf<Implementation> = string extends keyof TypesOf<Implementation>
  ? RostackClient
  : TypedClient<TypesOf<Implementation>>;
