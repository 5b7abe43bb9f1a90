import { formatInstant, isInstant, parseInstant } from './instant.ts';
import { ServerMessageError } from './parse-server-message.ts';
import type { CompactEvent, EventMessage } from './server-message.ts';

/**
 * Turns an event message into a compact event of 8 to 10 positions, with `null` for the URL if there is data but no URL.
 * @throws ServerMessageError `invalid_server_message` for an event from before 1970, which the compact form cannot express
 * @see protocol section 7, compact event
 */
export function encodeCompactEvent(event: EventMessage): CompactEvent {
  const occurredAtMs = parseInstant(event.occurred_at);
  if (!isInstant(occurredAtMs)) throw outOfRange('/occurred_at');
  const head = [
    'e',
    event.subscription_id,
    event.event_id,
    event.cursor,
    occurredAtMs,
    event.event_type,
    event.resource_id,
    event.resource_version,
  ] as const;
  if ('data' in event && event.data !== undefined) return [...head, event.detail_url ?? null, event.data];
  return event.detail_url === undefined ? [...head] : [...head, event.detail_url];
}

/**
 * Turns a compact event into an event message.
 * @param event as `parseServerMessage` returns it
 * @throws ServerMessageError `invalid_server_message` for an event from after the year 9999, which RFC 3339 cannot express
 * @see protocol section 7, compact event
 */
export function decodeCompactEvent(event: CompactEvent): EventMessage {
  const [, subscriptionId, eventId, cursor, occurredAtMs, eventType, resourceId, resourceVersion, detailUrl] =
    event;
  if (!isInstant(occurredAtMs)) throw outOfRange('/4');
  return {
    type: 'event',
    subscription_id: subscriptionId,
    event_id: eventId,
    cursor,
    occurred_at: formatInstant(occurredAtMs),
    event_type: eventType,
    resource_id: resourceId,
    resource_version: resourceVersion,
    ...(typeof detailUrl === 'string' ? { detail_url: detailUrl } : {}),
    ...(event.length > 9 ? { data: event[9] } : {}),
  };
}

function outOfRange(path: string): ServerMessageError {
  return new ServerMessageError([
    { check: 'instant', path, message: 'must be between the start of 1970 and the end of 9999' },
  ]);
}
