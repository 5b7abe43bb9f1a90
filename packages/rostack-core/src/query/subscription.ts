import type { Transition } from '../record/change.ts';
import { canonicalJson, type JsonValue } from '../text/json.ts';
import type { Resource } from '../wire/discovery/resource-model.ts';
import type { SubscribeMessage } from '../wire/message/client-message.ts';
import type { EventEncoding } from '../wire/message/shared-models.ts';
import type { Predicate } from './filter/compile-filter.ts';

/** The parts of a `subscribe` message that count when two have the same id (protocol section 7). */
export interface NormalizedSubscription {
  /** Name of the resource. */
  readonly resource: string;
  /** Sorted, without repetition; all that the resource advertises if the message names none. */
  readonly eventTypes: readonly string[];
  /** `json` if the message names none. */
  readonly encoding: EventEncoding;
  /** Canonical JSON text: the order of members does not count. */
  readonly filterText: string | undefined;
  /** Exactly as given; undefined for a subscription that begins with what comes next. */
  readonly cursor: string | undefined;
}

/** Fills in the defaults of a `subscribe` message and drops what makes no difference. */
export function normalizeSubscription(message: SubscribeMessage, resource: Resource): NormalizedSubscription {
  const eventTypes = message.event_types ?? resource.events.map(({ name }) => name);
  return {
    resource: message.resource,
    eventTypes: [...new Set(eventTypes)].sort(),
    encoding: message.event_encoding ?? 'json',
    filterText: message.filter === undefined ? undefined : canonicalJson(message.filter),
    cursor: message.cursor,
  };
}

/** Whether a second `subscribe` with the same id asks for the same thing, which makes it idempotent. */
export function subscriptionsEqual(a: NormalizedSubscription, b: NormalizedSubscription): boolean {
  return (
    a.resource === b.resource &&
    a.encoding === b.encoding &&
    a.filterText === b.filterText &&
    a.cursor === b.cursor &&
    a.eventTypes.length === b.eventTypes.length &&
    a.eventTypes.every((name, index) => name === b.eventTypes[index])
  );
}

/**
 * What a change means to a subscription with a filter: to enter the filter is a create, to stay in it an update, to
 * leave it a delete.
 * @param before the record before the change; undefined, which never matches, for a create
 * @param after the record after the change; undefined for a delete
 * @returns undefined when the subscription does not see the change
 * @see protocol section 7, filtered subscription
 */
export function filterTransition(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  matches: Predicate,
): Transition | undefined {
  const wasIn = before !== undefined && matches(before);
  const isIn = after !== undefined && matches(after);
  if (isIn) return wasIn ? 'update' : 'create';
  return wasIn ? 'delete' : undefined;
}
