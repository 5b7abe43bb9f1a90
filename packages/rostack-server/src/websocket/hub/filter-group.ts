import {
  type Change,
  canonicalizeFilter,
  compileFilter,
  type EventDescriptor,
  type EventEncoding,
  type Filter,
  filterTransition,
  type JsonValue,
  type Resource,
  type Transition,
} from 'rostack-core';
import type { LoggedChange } from './logged-change.ts';

/** Finds the event of a change, by the resource's descriptors. */
export class EventRules {
  readonly #byName: ReadonlyMap<string, EventDescriptor>;
  readonly #byTransition: ReadonlyMap<Transition, EventDescriptor>;

  constructor(resource: Resource) {
    this.#byName = new Map(resource.events.map((descriptor) => [descriptor.name, descriptor]));
    this.#byTransition = new Map(
      resource.events.map((descriptor) => [descriptor.state_transition, descriptor]),
    );
  }

  /** The event that the producer named; undefined if it named none, or one that is not advertised. */
  descriptorOf(change: Change): EventDescriptor | undefined {
    return change.eventType === undefined ? undefined : this.#byName.get(change.eventType);
  }

  /** The event of a transition; resources that filter events have exactly one for each. */
  descriptorFor(transition: Transition | undefined): EventDescriptor | undefined {
    return transition === undefined ? undefined : this.#byTransition.get(transition);
  }
}

/** All subscriptions of a resource that ask for the same events: one compiled filter and one set of types. */
export class FilterGroup<Feed> {
  readonly key: string;
  readonly filter: Filter | undefined;
  readonly #matches: ((record: JsonValue) => boolean) | undefined;
  readonly #eventTypes: ReadonlySet<string>;
  readonly #rules: EventRules;
  /** The feeds at the head, which get events as they come. */
  readonly attached: Readonly<Record<EventEncoding, Set<Feed>>> = {
    json: new Set(),
    'compact-json': new Set(),
  };
  /** All feeds, including those that are catching up. */
  feedCount = 0;
  /** Number of the last visit of the index to this group. */
  visitedBy = 0;

  constructor(rules: EventRules, filter: Filter | undefined, eventTypes: readonly string[]) {
    this.key = groupKey(filter, eventTypes);
    this.filter = filter;
    this.#matches = filter === undefined ? undefined : compileFilter(filter);
    this.#eventTypes = new Set(eventTypes);
    this.#rules = rules;
  }

  get attachedCount(): number {
    return this.attached.json.size + this.attached['compact-json'].size;
  }

  /** The event that a change means for these subscriptions; undefined if none. */
  eventOf(logged: LoggedChange): EventDescriptor | undefined {
    const descriptor =
      this.#matches === undefined
        ? this.#rules.descriptorOf(logged.change)
        : this.#rules.descriptorFor(filterTransition(logged.before, logged.after, this.#matches));
    return descriptor !== undefined && this.#eventTypes.has(descriptor.name) ? descriptor : undefined;
  }
}

/** The same key for all requests for the same events, whatever the order of their members. */
export function groupKey(filter: Filter | undefined, eventTypes: readonly string[]): string {
  const types = [...new Set(eventTypes)].sort();
  return JSON.stringify([types, filter === undefined ? null : canonicalizeFilter(filter)]);
}
