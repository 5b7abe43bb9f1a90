import { compileFilter, JSON_MEDIA_TYPE, type JsonObject, parseFilter, type Resource } from 'rostack-core';
import { isRetryable } from '../http/with-retries.ts';
import type { FollowBackend, FollowedEvent } from './follow-backend.ts';

/**
 * The record that an event of a create or an update is about: its data, or what a look-up finds now.
 * @returns undefined where the record has gone since, or left the filter: the event of that is still to come
 * @throws ClientError
 */
export async function eventRecord(
  backend: FollowBackend,
  event: FollowedEvent,
  filter: JsonObject | undefined,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  if (carriesRecord(event, backend.resource())) return event.data;
  for (let failures = 1; ; failures += 1) {
    try {
      const item = await backend.get(event.resourceId, signal);
      if (item.kind !== 'found') return undefined;
      const matches = filter === undefined || compileFilter(parseFilter(filter))(item.record);
      return matches ? item.record : undefined;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await backend.pause(error, failures, signal);
    }
  }
}

/** Event data is the record where the event has the schema of the record. */
function carriesRecord(
  event: FollowedEvent,
  { events, representations }: Resource,
): event is FollowedEvent & { readonly data: JsonObject } {
  if (typeof event.data !== 'object' || event.data === null) return false;
  const ofRecord = representations.find(({ media_type: type }) => type === JSON_MEDIA_TYPE)?.schema_url;
  return events.find(({ name }) => name === event.eventType)?.schema_url === ofRecord;
}
