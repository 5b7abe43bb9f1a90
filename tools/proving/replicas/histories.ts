import { isDeepStrictEqual } from 'node:util';
import { filterTransition, type JsonObject, type Position, type Predicate } from 'rostack-core';
import type { Store } from 'rostack-store';
import { type LoggedChange, type Place, predicateOf, stateAt } from '../follows/history.ts';
import { patiently } from '../soak/world/log-keeper.ts';

const READ_CHANGES = 500;

/** The changes of one history, from position 1 on. */
type Branch = readonly LoggedChange[];

/** What a follow was given: a set, or the one change after the place before. */
export interface Given {
  readonly place: Place;
  /** The whole set; undefined for an event. */
  readonly records: ReadonlyMap<string, JsonObject> | undefined;
  /** Whether the set is what the follow itself had stored. */
  readonly isRestored?: boolean;
  /** Of a set: what led to it, for people. */
  readonly why?: string;
  /** Of a set: when a gateway refused the place before, on the monotonic clock. */
  readonly refusedAtMs?: number | undefined;
  /** Of an event: the record that it is about, and its state in the set. */
  readonly event: { readonly id: string; readonly record: JsonObject | undefined } | undefined;
}

/** When an epoch was over, by a later one that a promotion then lost. */
interface Pause {
  readonly epoch: string;
  readonly fromMs: number;
  toMs: number;
}

/** All histories of one resource: the present one, and those that ended when a standby took over that had less. */
export class Histories {
  readonly #resource: string;
  readonly #branches: LoggedChange[][] = [[]];
  readonly #pauses: Pause[] = [];
  /** When each epoch was last found to be the present one. */
  readonly #readAtMs = new Map<string, number>();
  epoch = '';

  constructor(resource: string) {
    this.#resource = resource;
  }

  /** How many histories were lost. */
  get lost(): number {
    return this.#branches.length - 1;
  }

  get #present(): LoggedChange[] {
    return this.#branches.at(-1) ?? [];
  }

  /** Reads what the present history has got since. */
  async read(store: Store): Promise<void> {
    const source = store.source(this.#resource);
    const nowMs = performance.now();
    for (const pause of this.#pauses) pause.toMs = Math.min(pause.toMs, nowMs);
    const head = await patiently(() => source.head());
    this.epoch = head.epoch;
    this.#readAtMs.set(head.epoch, nowMs);
    const branch = this.#present;
    while (branch.length < head.position) {
      for (const change of await patiently(() => source.read(branch.length, READ_CHANGES))) {
        branch.push({ change, before: parse(change.before), after: parse(change.after) });
      }
    }
  }

  /**
   * Takes the history of a server that was promoted: what both share, and what it has got since. What other standbys have is
   * that of the server before until the next `read`.
   */
  async branch(store: Store): Promise<void> {
    const source = store.source(this.#resource);
    const before = this.#present;
    const epochBefore = this.epoch;
    const isShared = async (position: Position) =>
      (await patiently(() => source.tagAt(position))) === tagAt(before, position);
    let [shared, parted] = [0, before.length + 1];
    while (parted - shared > 1) {
      const middle = Math.floor((shared + parted) / 2);
      if (await isShared(middle)) shared = middle;
      else parted = middle;
    }
    if (shared < before.length) this.#branches.push(before.slice(0, shared));
    const readAtMs = new Map(this.#readAtMs);
    await this.read(store);
    const fromMs = readAtMs.get(this.epoch);
    if (this.epoch === epochBefore || fromMs === undefined) return;
    this.#pauses.push({ epoch: this.epoch, fromMs, toMs: Number.POSITIVE_INFINITY });
  }

  /** Whether a gateway may have refused a place at a time: the history does not have it, or had a later epoch then. */
  isRefusable(place: Place, atMs: number | undefined): boolean {
    const wasOver = ({ epoch, fromMs, toMs }: Pause) =>
      epoch === place.epoch && atMs !== undefined && atMs >= fromMs && atMs <= toMs;
    return this.isLost(place) || this.#pauses.some(wasOver);
  }

  /** Whether the present history does not have a place. */
  isLost({ epoch, position, tag }: Place): boolean {
    return epoch !== this.epoch || tagAt(this.#present, position) !== tag;
  }

  /** Whether a place has all of the present history that matches. */
  isNewest(place: Place, filter: JsonObject | undefined): boolean {
    const matches = predicateOf(filter);
    return (
      !this.isLost(place) &&
      this.#present.slice(place.position).every((logged) => transitionOf(logged, matches) === undefined)
    );
  }

  /** What is wrong with something that a follow was given; undefined: nothing. */
  judge(before: Place | undefined, given: Given, filter: JsonObject | undefined): string | undefined {
    const matches = predicateOf(filter);
    return given.event === undefined
      ? this.judgeSet(given.place, given.records ?? new Map(), matches)
      : this.#judgeEvent(before, given, matches);
  }

  /** Whether records are what matches as of a place, in the history that has it; says what is wrong. */
  judgeSet(place: Place, records: ReadonlyMap<string, JsonObject>, matches: Predicate): string | undefined {
    const branch = this.#branches.findLast((each) => tagAt(each, place.position) === place.tag);
    if (branch === undefined) return `a set came of ${show(place)}, which no history has`;
    const state = stateAt(branch, place.position, matches);
    const expected = new Map([...state].map(([id, { after }]) => [id, after]));
    return isDeepStrictEqual(expected, new Map(records))
      ? undefined
      : `the set of ${show(place)} has ${records.size} records that are not the ${expected.size} of the history`;
  }

  #judgeEvent(before: Place | undefined, { place, event }: Given, matches: Predicate): string | undefined {
    if (before === undefined) return 'an event came before a set';
    const branch = this.#branches.findLast(
      (each) => tagAt(each, place.position) === place.tag && tagAt(each, before.position) === before.tag,
    );
    if (branch === undefined) return `${show(place)} came after ${show(before)}, in no history`;
    if (place.position <= before.position) return `${show(place)} came after ${show(before)}`;
    const between = branch.slice(before.position, place.position - 1);
    const missing = between.find((logged) => transitionOf(logged, matches) !== undefined);
    if (missing !== undefined) {
      return `the change at ${missing.change.position} is missing between ${show(before)} and ${show(place)}`;
    }
    const logged = branch[place.position - 1];
    const transition = logged && transitionOf(logged, matches);
    if (logged === undefined || transition === undefined) return `${show(place)} came, and does not match`;
    const record = transition === 'delete' ? undefined : logged.after;
    return event?.id === logged.change.id && isDeepStrictEqual(event.record, record)
      ? undefined
      : `the event at ${show(place)} has another record`;
  }
}

export const show = ({ epoch, position, tag }: Place): string => `${epoch}/${position}.${tag}`;

function tagAt(branch: Branch, position: Position): string | undefined {
  return position === 0 ? '' : branch[position - 1]?.change.tag;
}

function transitionOf({ before, after }: LoggedChange, matches: Predicate) {
  return filterTransition(before, after, matches);
}

function parse(text: string | undefined): JsonObject | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
}
