import {
  canonicalizeFilter,
  compileFilter,
  type EventDescriptor,
  type EventEncoding,
  type Filter,
  filterTransition,
  type JsonValue,
  type Position,
} from 'rostack-core';
import type { EventFeed } from '../delivery/event-feed.ts';
import type { EventRules } from './event-rules.ts';
import type { LoggedChange } from './logged-change.ts';

/** All subscriptions of a resource that ask for the same events: one compiled filter and one set of types. */
export class FilterGroup {
  readonly key: string;
  readonly filter: Filter | undefined;
  readonly #matches: ((record: JsonValue) => boolean) | undefined;
  readonly #eventTypes: ReadonlySet<string>;
  readonly #rules: EventRules;
  /** The feeds that stand at the head and get events as they come. */
  readonly attached: Readonly<Record<EventEncoding, Set<EventFeed>>> = {
    json: new Set(),
    'compact-json': new Set(),
  };
  /** Feeds in all, those that catch up included. */
  feedCount = 0;
  /** Position of the last change that looked at this group. */
  visitedAt: Position = -1;

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

/** Equal for requests that mean the same events, whatever the order of their members. */
export function groupKey(filter: Filter | undefined, eventTypes: readonly string[]): string {
  const types = [...new Set(eventTypes)].sort();
  return JSON.stringify([types, filter === undefined ? null : canonicalizeFilter(filter)]);
}
