import type { Transition } from '../record/change.ts';
import type { HiddenField } from '../record/permission/permission.ts';
import type { RowRule, RowRuleField } from '../record/visibility/visibility.ts';
import type { JsonSchema } from '../schema/graph/json-schema.ts';
import type { JsonObject, JsonValue } from '../text/json.ts';
import type {
  EventDescriptor,
  Representation,
  Resource,
  ResourceFiltering,
} from '../wire/discovery/resource-model.ts';
import type { Projection, StateChange } from './declaration/declaration.ts';

/** One kind of event, with what an adapter needs to write it. */
export interface ImplementedEvent {
  /** Such as `station.created`. */
  readonly name: string;
  /** As discovery declares it. */
  readonly descriptor: EventDescriptor;
  /** What happened to the record. */
  readonly transition: Transition;
  /** Whether the data is a tombstone. */
  readonly tombstone: boolean;
  /** The https URL that the schema of `data` is served at, which is its `$id`. */
  readonly schemaUrl: string;
  /** Closed, with the schemas that it refers to in its `$defs`; `data` validates against it. */
  readonly schema: JsonSchema;
  /**
   * 'record': the data is the stored record after the change, or before it for a delete, and its JSON text can be sent
   * unchanged. 'nothing': there is no data. 'projection': `project` makes it.
   */
  readonly carries: 'record' | 'nothing' | 'projection';
  /** Only if `carries` is 'projection'. */
  readonly project: Projection['project'] | undefined;
}

/** One resource, with what an adapter needs to serve it. */
export interface ImplementedResource {
  /** Such as `stations`. */
  readonly name: string;
  /** As discovery declares it. */
  readonly descriptor: Resource;
  /** The https URL that the schema of `application/json` is served at, which is its `$id`. */
  readonly schemaUrl: string;
  /** Closed schema of the record as it is stored, hidden fields included, with the schemas that it refers to in its `$defs`. */
  readonly schema: JsonSchema;
  /** `application/json` first. */
  readonly representations: readonly Representation[];
  /** Permissions that representations need beyond those to read, by media type; the others need none. */
  readonly requires: Readonly<Record<string, readonly string[]>>;
  /** Fields that can only be seen, filtered and sorted by with further permissions. */
  readonly hidden: readonly HiddenField[];
  /** JSON Pointer of the id in a record. */
  readonly idPointer: string;
  /** The same as reference tokens. */
  readonly idPath: readonly string[];
  /** Which fields can be filtered by which operators, and which can be sorted by, as discovery declares it. */
  readonly filtering: ResourceFiltering;
  /** Whether subscriptions may carry a filter. */
  readonly eventFiltering: boolean;
  /** Which rows a principal may see; undefined: all of them. */
  readonly visible: RowRule | undefined;
  /** The fields that `visible` compares, as far as the declaration names them. */
  readonly visibleFields: readonly RowRuleField[];
  /** By name, in the order of the declaration. */
  readonly events: ReadonlyMap<string, ImplementedEvent>;
  /** The events of each transition, in the order of the declaration; one each where `eventFiltering` is true. */
  readonly eventsByTransition: Readonly<Record<Transition, readonly ImplementedEvent[]>>;
}

/**
 * The `data` of an event: the record after the change (before it for a delete), nothing, or what the projection makes.
 * @see protocol section 7, filtered subscription
 */
export function eventData(event: ImplementedEvent, change: StateChange): JsonValue | undefined {
  if (event.carries === 'projection') return event.project?.(change) as JsonValue | undefined;
  if (event.carries === 'nothing') return undefined;
  const state: JsonObject | undefined = event.transition === 'delete' ? change.before : change.after;
  return state;
}
