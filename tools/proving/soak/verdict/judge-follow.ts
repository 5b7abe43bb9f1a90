import { isDeepStrictEqual } from 'node:util';
import {
  type JsonObject,
  type PageKey,
  type Position,
  type Predicate,
  parseBodies,
  parseFilter,
} from 'rostack-core';
import type { Store } from 'rostack-store';
import { predicateOf } from '../../follows/history.ts';
import { EVENT_NAMES } from '../../follows/post.ts';
import { type ExpectedEvent, type Replay } from './replay.ts';

/** A whole set that a follow was given. */
export interface ObservedSet {
  /** `restored`: what was stored before the client was started again; `taken`: a snapshot of the server. */
  readonly kind: 'restored' | 'taken';
  readonly position: Position;
  readonly records: ReadonlyMap<string, JsonObject>;
}

/** An event that a follow was given. */
export interface ObservedEvent {
  readonly kind: 'event';
  readonly position: Position;
  readonly eventId: string;
  readonly eventType: string;
  readonly id: string;
  readonly version: string;
  /** The record after the event; undefined when it is no more in the set. */
  readonly record: JsonObject | undefined;
}

export type Observation = ObservedSet | ObservedEvent;

/** One follow and all that it was given, in order. */
export interface ObservedFollow {
  readonly name: string;
  readonly resource: string;
  readonly filter: JsonObject | undefined;
  readonly observations: readonly Observation[];
  /** What its state store holds at the end. */
  readonly state: ReadonlyMap<string, JsonObject>;
}

/** A set, and the events that came after it. */
interface Segment {
  readonly set: ObservedSet;
  readonly events: readonly ObservedEvent[];
}

/**
 * Compares what a follow was given with a replay of the log. Every set is the filter's result as of its position. The events after
 * it are all that match, each once and in order, with none left out before the last one; after the last set none is missing
 * at all. No event comes twice, save the newest one when the client was started again before it was stored. The state at
 * the end is the filter's result. Returns what is wrong, in sentences.
 */
export function judgeFollow(follow: ObservedFollow, replay: Replay): readonly string[] {
  const matches = predicateOf(follow.filter);
  const wrong: string[] = [];
  const segments = toSegments(follow.observations, wrong);
  judgeRepetition(segments, wrong);
  for (const [index, { set, events }] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const upTo = isLast ? replay.end : (events.at(-1)?.position ?? set.position);
    judgeSet(set, replay, matches, wrong);
    judgeEvents(set.position, events, replay.eventsBetween(set.position, upTo, matches), wrong);
  }
  wrong.push(...differences('at the end', replay.stateAt(replay.end, matches), follow.state));
  return wrong;
}

function toSegments(observations: readonly Observation[], wrong: string[]): readonly Segment[] {
  const segments: { set: ObservedSet; events: ObservedEvent[] }[] = [];
  for (const observation of observations) {
    if (observation.kind !== 'event') segments.push({ set: observation, events: [] });
    else if (segments.length === 0) wrong.push('an event came before the first set');
    else segments.at(-1)?.events.push(observation);
  }
  if (segments.length === 0) wrong.push('no set came');
  return segments;
}

function judgeRepetition(segments: readonly Segment[], wrong: string[]): void {
  const seen = new Set<string>();
  let newest: ObservedEvent | undefined;
  let reached = 0;
  for (const { set, events } of segments) {
    const stored = newest !== undefined && set.kind === 'restored' && set.position < reached;
    if (stored) seen.delete(newest?.eventId ?? '');
    else if (set.position < reached) wrong.push(`after ${reached} came a ${set.kind} set of ${set.position}`);
    for (const event of events) {
      if (seen.has(event.eventId)) wrong.push(`the event at ${event.position} came twice`);
      seen.add(event.eventId);
    }
    newest = events.at(-1) ?? newest;
    reached = events.at(-1)?.position ?? set.position;
  }
}

function judgeSet(
  { kind, position, records }: ObservedSet,
  replay: Replay,
  matches: Predicate,
  wrong: string[],
): void {
  if (position < replay.start || position > replay.end) {
    wrong.push(`a set as of ${position} came, where the log has ${replay.start} to ${replay.end}`);
    return;
  }
  const where = `in the ${kind} set as of ${position}`;
  wrong.push(...differences(where, replay.stateAt(position, matches), records));
}

function judgeEvents(
  after: Position,
  observed: readonly ObservedEvent[],
  expected: readonly ExpectedEvent[],
  wrong: string[],
): void {
  const byPosition = new Map(expected.map((event) => [event.change.position, event]));
  let previous = after;
  for (const event of observed) {
    if (event.position <= previous) wrong.push(`${event.position} came after ${previous}`);
    previous = event.position;
    const wanted = byPosition.get(event.position);
    if (wanted === undefined) wrong.push(`an event came at ${event.position}, where none matches`);
    else if (!isDeepStrictEqual(event, toObserved(wanted))) {
      wrong.push(`another event at ${event.position}: ${JSON.stringify(event)}`);
    }
  }
  const positions = new Set(observed.map(({ position }) => position));
  for (const { change, transition } of expected) {
    if (positions.has(change.position)) continue;
    wrong.push(
      `the ${transition} of ${change.id} at ${change.position} is missing after the set of ${after}`,
    );
  }
}

function toObserved({ change, transition, record }: ExpectedEvent): ObservedEvent {
  const { position, eventId, id, version } = change;
  return { kind: 'event', position, eventId, eventType: EVENT_NAMES[transition], id, version, record };
}

/** How two sets of records differ, told by ids. */
export function differences(
  where: string,
  expected: ReadonlyMap<string, JsonObject>,
  found: ReadonlyMap<string, JsonObject>,
): readonly string[] {
  const wrong: string[] = [];
  for (const [id, record] of expected) {
    const present = found.get(id);
    if (present === undefined) wrong.push(`${id} is missing ${where}`);
    else if (!isDeepStrictEqual(present, record)) wrong.push(`${id} has another content ${where}`);
  }
  for (const id of found.keys()) if (!expected.has(id)) wrong.push(`${id} is too much ${where}`);
  return wrong;
}

const PAGE_RECORDS = 500;

/** Compares the filter's result in SQL with that of the predicate over the replayed log. */
export async function judgeDatabase(
  store: Store,
  resource: string,
  filter: JsonObject | undefined,
  replay: Replay,
): Promise<readonly string[]> {
  const source = store.source(resource);
  const found = new Map<string, JsonObject>();
  let after: PageKey | undefined;
  do {
    const query = { at: replay.end, sort: [], limit: PAGE_RECORDS, after };
    const page = await source.page({ ...query, filter: filter && parseFilter(filter) });
    for (const record of parseBodies(page.bodies)) found.set(record['id'] as string, record);
    after = page.next;
  } while (after !== undefined);
  return differences('in the database', replay.stateAt(replay.end, predicateOf(filter)), found);
}
