import type { JsonObject } from 'rostack-core';
import { parseFields, project } from 'rostack-core/records';
import { SubscriptionError } from '../../http/error/errors.ts';
import type { ResumePoint, SnapshotContext } from '../snapshot-reader.ts';
import type { ResourceEvent, SubscriptionMessage } from '../subscription/resource-event.ts';

/** Where a snapshot can be followed from. */
interface ReconciledPlace extends ResumePoint {
  /** Versions of the records that an event has brought, by id. */
  readonly versions: ReadonlyMap<string, string>;
}

/**
 * Makes one snapshot of parts that were read at several positions, by applying the events from the first position on. A record without an
 * event since then stayed in one range and was read there. Any other record becomes what its newest event says, no matter where or how
 * often it was read. First the gateway is asked for the next event after each position, which proves that it knows all of them. If one of
 * these events does not come after the first position, a part is older than it should be.
 * @throws SubscriptionError `cursor_unavailable` if the parts cannot be used; other errors of a subscription
 */
export async function reconcile(
  context: SnapshotContext,
  records: Map<string, JsonObject>,
  first: string,
  cursors: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReconciledPlace> {
  const versions = new Map<string, string>();
  let place: ResumePoint = { cursor: first, seen: undefined };
  if (cursors.size === 1) return { ...place, versions };
  const next = new Set<string>();
  for (const cursor of new Set([first, ...cursors])) {
    const event = await firstEvent(context, cursor, signal);
    if (event !== undefined) next.add(event.eventId);
  }
  const { fields } = context;
  const selection = fields && parseFields(fields.join(','), () => true);
  for await (const message of replay(context, first, signal)) {
    if (message.kind !== 'event') continue;
    const { resourceId: id, resourceVersion: version, transition, eventId, cursor } = message;
    place = { cursor, seen: eventId };
    next.delete(eventId);
    if (transition === 'delete') {
      records.delete(id);
      versions.delete(id);
      continue;
    }
    const value = await context.recordOf(message, signal);
    if (value === undefined) continue;
    await context.checkId(id, value);
    const record = selection === undefined ? value : (project(value, selection) as JsonObject);
    records.set(id, record);
    versions.set(id, version);
  }
  if (next.size === 0) return { ...place, versions };
  throw new SubscriptionError('cursor_unavailable', 'a part of the snapshot is older than its beginning', {
    retryable: false,
  });
}

async function firstEvent(
  context: SnapshotContext,
  cursor: string,
  signal: AbortSignal,
): Promise<ResourceEvent<JsonObject> | undefined> {
  for await (const message of replay(context, cursor, signal)) {
    if (message.kind === 'event') return message;
  }
  return undefined;
}

/** Everything after a position, until now. */
async function* replay(
  context: SnapshotContext,
  cursor: string,
  signal: AbortSignal,
): AsyncGenerator<SubscriptionMessage<JsonObject>, void, undefined> {
  const subscription = context.subscribe({ cursor, seen: undefined }, signal);
  try {
    for await (const message of subscription) {
      if (message.kind === 'caught_up') return;
      yield message;
    }
    signal.throwIfAborted();
  } finally {
    void subscription.close();
  }
}
