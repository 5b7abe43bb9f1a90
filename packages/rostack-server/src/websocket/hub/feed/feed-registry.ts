import {
  type Collation,
  collatedOperand,
  collationKey,
  type Filter,
  type FilterComparison,
  type JsonScalar,
  type JsonValue,
  type Position,
  type Resource,
  resolvePointer,
} from 'rostack-core';
import type { LoggedChange } from '../log/logged-change.ts';
import { type EventFeed, EventRules, type FeedGroup, FilterGroup, groupKey } from './event-feed.ts';

/** A condition that every match must meet: the field has one of these values. */
interface RequiredValues {
  readonly pointer: string;
  readonly path: readonly string[];
  /** Its strings are keys of this collation. */
  readonly collation: Collation | undefined;
  readonly values: readonly JsonScalar[];
}

interface PointerIndex {
  readonly path: readonly string[];
  /** The collation of the field, which is the same in all filters of a resource. */
  readonly collation: Collation | undefined;
  readonly byValue: Map<JsonScalar, Set<FeedGroup>>;
}

/** Shared by all indexes: a group may be in several, and a change may be visited twice. */
let looks = 0;

/** Finds the groups that a change may concern without evaluating the filters of all others. */
export class FilterIndex {
  readonly #unindexed = new Set<FeedGroup>();
  readonly #byPointer = new Map<string, PointerIndex>();

  add(group: FeedGroup): void {
    const required = group.filter === undefined ? undefined : requiredValues(group.filter);
    if (required === undefined) {
      this.#unindexed.add(group);
      return;
    }
    const { path, collation } = required;
    const index = this.#byPointer.get(required.pointer) ?? { path, collation, byValue: new Map() };
    this.#byPointer.set(required.pointer, index);
    for (const value of required.values) {
      const groups = index.byValue.get(value) ?? new Set();
      groups.add(group);
      index.byValue.set(value, groups);
    }
  }

  remove(group: FeedGroup): void {
    this.#unindexed.delete(group);
    const required = group.filter === undefined ? undefined : requiredValues(group.filter);
    const index = required === undefined ? undefined : this.#byPointer.get(required.pointer);
    if (required === undefined || index === undefined) return;
    for (const value of required.values) {
      const groups = index.byValue.get(value);
      groups?.delete(group);
      if (groups?.size === 0) index.byValue.delete(value);
    }
    if (index.byValue.size === 0) this.#byPointer.delete(required.pointer);
  }

  /** Calls `visit` once for each group that may match the record before or after the change. */
  visit(logged: LoggedChange, visit: (group: FeedGroup) => void): void {
    looks += 1;
    const look = looks;
    for (const group of this.#unindexed) visit(group);
    for (const index of this.#byPointer.values()) {
      const before = groupsAt(index, logged.before);
      const after = groupsAt(index, logged.after);
      if (before !== undefined) visitOnce(before, look, visit);
      if (after !== undefined && after !== before) visitOnce(after, look, visit);
    }
  }
}

function visitOnce(groups: ReadonlySet<FeedGroup>, look: number, visit: (group: FeedGroup) => void): void {
  for (const group of groups) {
    if (group.visitedBy === look) continue;
    group.visitedBy = look;
    visit(group);
  }
}

function groupsAt(
  { path, collation, byValue }: PointerIndex,
  record: JsonValue | undefined,
): ReadonlySet<FeedGroup> | undefined {
  if (record === undefined) return undefined;
  const value = resolvePointer(record, path);
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  const isCollated = collation !== undefined && typeof value === 'string';
  return byValue.get(isCollated ? collationKey(collation, value) : value);
}

function requiredValues(filter: Filter): RequiredValues | undefined {
  const conjuncts = filter.kind === 'and' ? filter.filters : [filter];
  let best: RequiredValues | undefined;
  for (const conjunct of conjuncts) {
    const required = conjunct.kind === 'comparison' ? valuesOf(conjunct) : undefined;
    if (required !== undefined && (best === undefined || required.values.length < best.values.length)) {
      best = required;
    }
  }
  return best;
}

function valuesOf(comparison: FilterComparison): RequiredValues | undefined {
  const { pointer, path, operator, operand, collation } = comparison;
  const compared = collation === undefined ? operand : collatedOperand(operand, collation);
  if (operator === 'eq' && !isList(compared)) return { pointer, path, collation, values: [compared] };
  if (operator === 'in' && isList(compared))
    return { pointer, path, collation, values: [...new Set(compared)] };
  return undefined;
}

function isList(operand: FilterComparison['operand']): operand is readonly JsonScalar[] {
  return Array.isArray(operand);
}

/** The feeds of one resource, grouped by the events that they ask for. */
export class FeedRegistry {
  readonly #rules: EventRules;
  readonly #index = new FilterIndex();
  readonly #groups = new Map<string, FeedGroup>();
  readonly #feeds = new Set<EventFeed>();

  constructor(resource: Resource) {
    this.#rules = new EventRules(resource);
  }

  get size(): number {
    return this.#feeds.size;
  }

  [Symbol.iterator](): Iterator<EventFeed> {
    return this.#feeds.values();
  }

  /** The group of all subscriptions that ask for the same events. */
  groupOf(filter: Filter | undefined, eventTypes: readonly string[]): FeedGroup {
    const key = groupKey(filter, eventTypes);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group = new FilterGroup<EventFeed>(this.#rules, filter, eventTypes);
    this.#groups.set(key, group);
    this.#index.add(group);
    return group;
  }

  add(feed: EventFeed): void {
    this.#feeds.add(feed);
    feed.group.feedCount += 1;
  }

  /** Removes a feed, and its group if it was the last one; false if the feed was not there. */
  remove(feed: EventFeed): boolean {
    if (!this.#feeds.delete(feed)) return false;
    const { group } = feed;
    group.feedCount -= 1;
    if (group.feedCount === 0) {
      this.#groups.delete(group.key);
      this.#index.remove(group);
    }
    return true;
  }

  /** Calls `visit` once for each group that may match the record before or after the change. */
  visit(logged: LoggedChange, visit: (group: FeedGroup) => void): void {
    this.#index.visit(logged, visit);
  }

  /** The position of the feed that is furthest behind; undefined if there is none. */
  oldestPosition(head: Position): Position | undefined {
    let oldest: Position | undefined;
    for (const feed of this.#feeds) {
      const position = feed.isAttached ? head : feed.position;
      if (oldest === undefined || position < oldest) oldest = position;
    }
    return oldest;
  }

  /** How long the longest stalled replay has not moved although its client reads; undefined if all move. */
  replayStalledMs(nowMs: number): number | undefined {
    let sinceMs: number | undefined;
    for (const { stalledSinceMs, isAttached, sink } of this.#feeds) {
      if (stalledSinceMs === undefined || isAttached || sink.isFull) continue;
      sinceMs = Math.min(sinceMs ?? stalledSinceMs, stalledSinceMs);
    }
    return sinceMs === undefined ? undefined : nowMs - sinceMs;
  }
}
