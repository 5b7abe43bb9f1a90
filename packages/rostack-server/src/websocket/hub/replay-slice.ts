import type { EventDescriptor, Position } from 'rostack-core';
import type { FeedGroup } from './event-feed.ts';
import { FilterIndex } from './filter-index.ts';
import { type LogPlace, OutOfOrderError } from './log-place.ts';
import type { LoggedChange } from './logged-change.ts';

/** A change that is an event to a group, or of which that could not be worked out. */
export type ReplayedEvent =
  | { readonly kind: 'event'; readonly logged: LoggedChange; readonly descriptor: EventDescriptor }
  | { readonly kind: 'fault'; readonly logged: LoggedChange; readonly error: unknown };

/** A piece of the log, and what it holds for each group: worked out once for all feeds that are given it. */
export class ReplaySlice {
  readonly #changes: readonly LoggedChange[];
  readonly #after: LogPlace;
  readonly #events = new Map<FeedGroup, ReplayedEvent[]>();
  /** The place after which the next slice begins. */
  readonly end: LogPlace;

  /**
   * @param after the place that the changes follow
   * @throws OutOfOrderError when they do not follow it one by one
   */
  constructor(after: LogPlace, changes: readonly LoggedChange[]) {
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

  /** True when the change after a place is in it, and follows that place in the same history. */
  holds({ position, tag }: LogPlace): boolean {
    const index = position - this.#after.position;
    // The place that it was read for was compared with the log then.
    return (index === 0 ? this.#after.tag : this.#changes[index]?.tagBefore) === tag;
  }

  /** Works out the events of groups, looking at each change once and not at the filters that it cannot match. */
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
        // A state that cannot be read: those that need it fail there, the others go on.
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
