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

/** Which event a change is, by the resource's descriptors. */
export class EventRules {
  readonly #byName: ReadonlyMap<string, EventDescriptor>;
  readonly #byTransition: ReadonlyMap<Transition, EventDescriptor>;

  constructor(resource: Resource) {
    this.#byName = new Map(resource.events.map((descriptor) => [descriptor.name, descriptor]));
    this.#byTransition = new Map(
      resource.events.map((descriptor) => [descriptor.state_transition, descriptor]),
    );
  }

  /** The event that the producer named; undefined when it named none, or one that is not advertised. */
  descriptorOf(change: Change): EventDescriptor | undefined {
    return change.eventType === undefined ? undefined : this.#byName.get(change.eventType);
  }

  /** The only event of a transition: resources that filter events have one of each. */
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
  /** Feeds in all, those that catch up included. */
  feedCount = 0;
  /** The last look at a change that came to this group. */
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

  /** The event that a change is to these subscriptions; undefined when it is none. */
  eventOf(logged: LoggedChange): EventDescriptor | undefined {
    const descriptor =
      this.#matches === undefined
        ? this.#rules.descriptorOf(logged.change)
        : this.#rules.descriptorFor(filterTransition(logged.before, logged.after, this.#matches));
    return descriptor !== undefined && this.#eventTypes.has(descriptor.name) ? descriptor : undefined;
  }
}

/** Equal for requests that mean the same events, in any order of their members. */
export function groupKey(filter: Filter | undefined, eventTypes: readonly string[]): string {
  const types = [...new Set(eventTypes)].sort();
  return JSON.stringify([types, filter === undefined ? null : canonicalizeFilter(filter)]);
}
