import type { Resource } from '../discovery/resource-model.ts';
import type { EventEncoding, SubscribeMessage } from '../message/client-message.ts';
import { canonicalJson } from '../text/canonical-json.ts';

/** What makes two `subscribe` messages of one id the same (protocol section 7). */
export interface NormalizedSubscription {
  readonly resource: string;
  /** As a set: sorted, each once; all that the resource advertises when the message names none. */
  readonly eventTypes: readonly string[];
  readonly encoding: EventEncoding;
  /** Canonical JSON text: the order of members does not count. */
  readonly filterText: string | undefined;
  readonly cursor: string | undefined;
}

/** Fills in the defaults of a `subscribe` message and takes out what makes no difference. */
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

/** Whether a second `subscribe` with the same id asks for the same thing, so that it is idempotent and no conflict. */
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
