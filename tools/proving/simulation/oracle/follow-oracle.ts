import type { FollowChange } from 'rostack-client';
import type { JsonObject, Predicate } from 'rostack-core';
import { type Place, placeOf, stateAt } from '../../follows/history.ts';
import type { ModelResource } from '../store/model-store.ts';
import { checkBookmark, checkNext, showPlace } from './stream-check.ts';

/** Knows what one follow was told, and compares it with the database after each change. */
export class FollowOracle {
  readonly #resource: ModelResource;
  readonly #matches: Predicate;
  readonly #onWrong: (what: string) => void;
  /** By id, the text of the record: what somebody holds who does what the follow tells. */
  readonly #told = new Map<string, string>();
  #place: Place | undefined;
  #placeBefore: Place | undefined;
  events = 0;
  bookmarks = 0;
  snapshots = 0;

  constructor(resource: ModelResource, matches: Predicate, onWrong: (what: string) => void) {
    this.#resource = resource;
    this.#matches = matches;
    this.#onWrong = onWrong;
  }

  /** True when what was told is what the database holds now. */
  get isAtHead(): boolean {
    const { branch, head } = this.#resource;
    return (
      this.#place?.epoch === branch.epoch &&
      this.#differenceAt({ epoch: branch.epoch, position: head, tag: this.#resource.tagAt(head) }) ===
        undefined
    );
  }

  get place(): Place | undefined {
    return this.#place;
  }

  take(change: FollowChange<JsonObject>): void {
    if (change.kind === 'snapshot') this.#takeSnapshot(change);
    else if (change.kind === 'live') this.#compare('live');
    else this.#takeEvent(change);
  }

  /** The follow has stored a bookmark. */
  takeBookmark(cursor: string): void {
    const before = this.#place;
    if (before === undefined) {
      this.#onWrong('a bookmark came before the first set');
      return;
    }
    this.bookmarks += 1;
    const place = placeOf(cursor);
    const wrong = checkBookmark(this.#resource, this.#matches, before, place);
    if (wrong !== undefined) this.#onWrong(wrong);
    this.#moveTo(place);
  }

  #takeSnapshot(change: Extract<FollowChange<JsonObject>, { kind: 'snapshot' }>): void {
    const place = placeOf(change.cursor);
    this.snapshots += 1;
    if (change.reason === 'restored') {
      const isKnown = [this.#place, this.#placeBefore].some(
        (known) => known !== undefined && showPlace(known) === showPlace(place),
      );
      if (!isKnown) this.#onWrong(`restored at ${showPlace(place)}, where it never was`);
      this.#told.clear();
      for (const [id, record] of change.records) this.#told.set(id, JSON.stringify(record));
    } else {
      for (const { id, record } of [...change.added, ...change.changed])
        this.#told.set(id, JSON.stringify(record));
      for (const { id } of change.removed) this.#told.delete(id);
    }
    this.#moveTo(place);
    this.#compare(`the ${change.reason} set`);
    if (change.records.size !== this.#told.size)
      this.#onWrong(`a set of ${change.records.size} for ${this.#told.size}`);
  }

  #takeEvent(change: Exclude<FollowChange<JsonObject>, { kind: 'snapshot' | 'live' }>): void {
    this.events += 1;
    const place = placeOf(change.event.cursor);
    const before = this.#place;
    if (before === undefined) {
      this.#onWrong('an event came before the first set');
      return;
    }
    const transition = change.kind === 'created' ? 'create' : change.kind === 'updated' ? 'update' : 'delete';
    const row = checkNext(this.#resource, this.#matches, before, { place, id: change.id, transition });
    if (typeof row === 'string') {
      this.#onWrong(row);
      return;
    }
    if ('record' in change) {
      const text = JSON.stringify(change.record);
      if (text !== row.change.after) this.#onWrong(`another record came at ${showPlace(place)}`);
      this.#told.set(change.id, text);
    } else {
      this.#told.delete(change.id);
    }
    this.#moveTo(place);
  }

  #moveTo(place: Place): void {
    this.#placeBefore = this.#place;
    this.#place = place;
  }

  #compare(where: string): void {
    const place = this.#place;
    if (place === undefined) return;
    const wrong = this.#differenceAt(place);
    if (wrong !== undefined) this.#onWrong(`${where} at ${showPlace(place)}: ${wrong}`);
  }

  #differenceAt(place: Place): string | undefined {
    const branch = this.#resource.branchWith(place);
    if (branch === undefined) return 'is of no history';
    const state = stateAt(branch.rows, place.position, this.#matches);
    for (const [id, { change }] of state) {
      if (this.#told.get(id) !== change.after) return `${id} is missing or another`;
    }
    return state.size === this.#told.size ? undefined : `${this.#told.size} records instead of ${state.size}`;
  }
}
