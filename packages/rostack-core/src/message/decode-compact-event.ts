import type { CompactEvent, EventMessage } from './server-message.ts';

/**
 * Gives a compact event the form of an event message.
 * @param event as `parseServerMessage` returns it
 * @see protocol section 7, compact event
 */
export function decodeCompactEvent(event: CompactEvent): EventMessage {
  const [, subscriptionId, eventId, cursor, occurredAtMs, eventType, resourceId, resourceVersion, detailUrl] =
    event;
  return {
    type: 'event',
    subscription_id: subscriptionId,
    event_id: eventId,
    cursor,
    // oxlint-disable-next-line no-restricted-globals -- formats a given instant, reads no clock
    occurred_at: new Date(occurredAtMs).toISOString(),
    event_type: eventType,
    resource_id: resourceId,
    resource_version: resourceVersion,
    ...(typeof detailUrl === 'string' ? { detail_url: detailUrl } : {}),
    ...(event.length > 9 ? { data: event[9] } : {}),
  };
}
