import type { EventDescriptor, Position } from 'rostack-core';
import type { FeedGroup } from '../feed/event-feed.ts';
import { FilterIndex } from '../feed/feed-registry.ts';
import { type LogPosition, OutOfOrderError } from '../log/log-position.ts';
import type { LoggedChange } from '../log/logged-change.ts';

/** A change that is an event for a group, or for which this could not be determined. */
export type ReplayedEvent =
  | { readonly kind: 'event'; readonly logged: LoggedChange; readonly descriptor: EventDescriptor }
  | { readonly kind: 'fault'; readonly logged: LoggedChange; readonly error: unknown };

/** A piece of the log with its events for each group, computed once for all feeds that get it. */
export class ReplaySlice {
  readonly #changes: readonly LoggedChange[];
  readonly #after: LogPosition;
  readonly #events = new Map<FeedGroup, ReplayedEvent[]>();
  /** The place after which the next slice starts. */
  readonly end: LogPosition;

  /**
   * @param after the place that the changes follow
   * @throws OutOfOrderError if they do not follow it one by one
   */
  constructor(after: LogPosition, changes: readonly LoggedChange[]) {
    this.#after = after;
    this.#changes = changes;
    let end = after;
    for (const { position, change } of changes) {
      if (position !== end.position + 1) throw new OutOfOrderError(end.position + 1, position);
      end = { position, tag: change.tag };
    }
    this.end = end;
  }

  get size(): number {
    return this.#changes.length;
  }

  /** Whether the slice contains the change after a place, in the same history. */
  holds({ position, tag }: LogPosition): boolean {
    const index = position - this.#after.position;
    // The tag of the slice's first place was checked against the log when the slice was read.
    return (index === 0 ? this.#after.tag : this.#changes[index]?.tagBefore) === tag;
  }

  /** Computes the events of groups, looking at each change once and skipping filters that it cannot match. */
  prepare(groups: ReadonlySet<FeedGroup>): void {
    const index = new FilterIndex();
    for (const group of groups) {
      this.#events.set(group, []);
      index.add(group);
    }
    for (const logged of this.#changes) {
      try {
        index.visit(logged, (group) => this.#note(group, logged));
      } catch {
        // A state cannot be parsed: groups that need it fail at this change, the others continue.
        for (const group of groups) this.#note(group, logged);
      }
    }
  }

  /** The events of a prepared group after a position, ascending. */
  *eventsAfter(group: FeedGroup, position: Position): Generator<ReplayedEvent> {
    for (const event of this.#events.get(group) ?? []) if (event.logged.position > position) yield event;
  }

  #note(group: FeedGroup, logged: LoggedChange): void {
    const events = this.#events.get(group);
    if (events?.at(-1)?.logged === logged) return;
    try {
      const descriptor = group.eventOf(logged);
      if (descriptor !== undefined) events?.push({ kind: 'event', logged, descriptor });
    } catch (error) {
      events?.push({ kind: 'fault', logged, error });
    }
  }
}
