import { type JsonObject, jsonEquals, type Resource } from 'rostack-core';
import type { SeenEvent } from '../../../probe/ws/seen-message.ts';
import { readChain } from '../../reads/sample/chain.ts';
import { findIdMember, idOf } from '../../reads/sample/id-member.ts';
import type { EventData } from './event-data.ts';
import { Blocked, type GatewayTrial } from './gateway-trial.ts';

/** The most pages that are read for one snapshot. */
const MAX_PAGES = 60;

/** All records of a resource at one event position. */
export interface Snapshot {
  readonly records: ReadonlyMap<string, JsonObject>;
  readonly cursor: string;
}

/** Reads all pages of a list. @throws Blocked if there are too many, or they cannot be read */
export async function readSnapshot(
  trial: GatewayTrial,
  resource: Resource,
  limit: number,
): Promise<Snapshot> {
  const chain = await readChain(trial.context, resource, { limit: String(limit) }, { maxPages: MAX_PAGES });
  const cursor = chain.pages[0]?.page.event_cursor;
  if (!chain.isWhole || cursor === undefined) {
    throw new Blocked(undefined, `${resource.name} can be read as a whole.`, 'It cannot, or is too large.');
  }
  await findIdMember(trial.context, resource, chain.items);
  const records = chain.items.flatMap((item) => {
    const id = idOf(item, resource);
    return id === undefined ? [] : [[id, item] as const];
  });
  if (records.length < chain.items.length) {
    throw new Blocked(undefined, 'Records have an id.', 'Some have none that can be found.');
  }
  return { records: new Map(records), cursor };
}

/**
 * How a snapshot with the events after it differs from a later snapshot, as a sentence; undefined if it does not. If events do not carry
 * the record, only its presence is compared.
 */
export function differenceAfter(
  before: Snapshot,
  events: readonly SeenEvent[],
  after: Snapshot,
  { resource, data }: { readonly resource: Resource; readonly data: EventData },
): string | undefined {
  const transitions = new Map(resource.events.map((event) => [event.name, event.state_transition] as const));
  const state = new Map<string, JsonObject | 'unknown'>(before.records);
  for (const event of events) {
    if (transitions.get(event.eventType) === 'delete') state.delete(event.resourceId);
    else state.set(event.resourceId, recordOf(event, data));
  }
  for (const [id, record] of after.records) {
    const found = state.get(id);
    if (found === undefined)
      return `The later snapshot has ${id}, which is not in the first one, and has no event.`;
    if (found !== 'unknown' && !jsonEquals(found, record)) return `${id} is another in the later snapshot.`;
    state.delete(id);
  }
  const [left] = state.keys();
  return left === undefined
    ? undefined
    : `${left} is not in the later snapshot, and has no event that deletes it.`;
}

function recordOf({ eventType, data }: SeenEvent, { isRecord }: EventData): JsonObject | 'unknown' {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isObject && isRecord(eventType) ? (data as JsonObject) : 'unknown';
}
