import type { FieldSelection, JsonObject, PageKey, SortKey } from 'rostack-core';
import { comparePageKeys, pageKeyOf, parseFields, project } from 'rostack-core/records';
import { ResponseError } from '../http/error/errors.ts';
import { readRecord } from '../list/record-ids.ts';
import type { StoredRecord } from '../state/state-store.ts';
import type { FollowChange, SnapshotChange } from './follow-change.ts';
import { type FollowView, fieldsOf } from './follow-view.ts';
import {
  changeEvent,
  type FollowedSetOptions,
  type SnapshotDifference,
  snapshotDifference,
} from './followed-set.ts';
import type { RecordSet, SetStep } from './record-set.ts';
import type { Snapshot } from './snapshot-reader.ts';
import type { ResourceEvent } from './subscription/resource-event.ts';

interface Row<T> {
  readonly place: PageKey;
  readonly stored: StoredRecord;
  readonly record: T;
}

/**
 * The first records of a sort order, some of those after them, and the changes among the first.
 *
 * Invariant: `#rows` are all the records up to `#frontier`, in order, as of one position of the log. A record that an event puts behind
 * the frontier is not held, because there may be unknown records in between. The first ones are known if there are at least `limit`
 * rows, or no frontier.
 */
export class WindowSet<T> implements RecordSet<T> {
  readonly #options: FollowedSetOptions<T>;
  readonly #view: FollowView;
  readonly #idPointer: () => string | undefined;
  #fields: { readonly text: string; readonly selection: FieldSelection } | undefined;
  readonly #limit: number;
  readonly #most: number;
  #order: readonly SortKey[] = [];
  #compare = comparePageKeys([]);
  #rows: Row<T>[] = [];
  #byId = new Map<string, Row<T>>();
  /** Undefined: the rows are all that there are. */
  #frontier: PageKey | undefined;
  /** The first rows as they were last shown. Without a limit that is all of them, in no order. */
  #shown: ReadonlyMap<string, Row<T>> = this.#byId;
  /** Made on request. */
  #records: ReadonlyMap<string, T> | undefined;

  /** @param idPointer where the id is, as far as it is known */
  constructor(
    options: FollowedSetOptions<T>,
    view: FollowView,
    idPointer: () => string | undefined = () => undefined,
  ) {
    this.#options = options;
    this.#view = view;
    this.#idPointer = idPointer;
    this.#limit = view.limit ?? Number.POSITIVE_INFINITY;
    this.#most = this.#limit + view.margin;
  }

  /** In order; a different map after each change. */
  get records(): ReadonlyMap<string, T> {
    this.#records ??= new Map(
      Array.from(this.#isLimited ? this.#shown.values() : this.#rows, (row) => [row.stored.id, row.record]),
    );
    return this.#records;
  }

  replace(reason: SnapshotChange<T>['reason'], snapshot: Snapshot): SnapshotChange<T> {
    const { order, isWhole, cursor } = snapshot;
    const compare = comparePageKeys(order);
    const given = Array.from(snapshot.records, ([id, record]) =>
      this.#row({ id, record, version: undefined }, order),
    );
    const rows = given.toSorted((a, b) => compare(a.place, b.place));
    if (reason !== 'restored' && !isWhole && given.some((row, at) => row !== rows[at])) {
      throw new ResponseError('the list is not in the order of the protocol, so that no limit can be kept');
    }
    const before = this.#shown;
    this.#order = order;
    this.#compare = compare;
    this.#rows = rows;
    this.#byId = new Map(rows.map((row) => [row.stored.id, row]));
    // A stored window that is shorter than the limit had no frontier.
    const isComplete = isWhole || rows.length < this.#limit;
    this.#frontier = isComplete ? undefined : rows.at(-1)?.place;
    this.#show();
    const difference =
      reason === 'restored' ? NO_DIFFERENCE : snapshotDifference(givenOf(before), givenOf(this.#shown));
    return this.#snapshotChange(reason, cursor, before, difference);
  }

  put(event: ResourceEvent<unknown>, value: JsonObject): SetStep<T> | undefined {
    const { resourceId: id, resourceVersion: version } = event;
    const record = this.#shownOf(value);
    return this.#step(event, this.#row({ id, version, record }, this.#order));
  }

  remove(event: ResourceEvent<unknown>): SetStep<T> | undefined {
    return this.#step(event, undefined);
  }

  #step(event: ResourceEvent<unknown>, row: Row<T> | undefined): SetStep<T> | undefined {
    const { resourceId: id } = event;
    const old = this.#byId.get(id);
    if (old !== undefined) this.#takeOut(old);
    if (row !== undefined && !this.#isBehind(row)) this.#insert(row);
    const dropped = this.#rows.length > this.#most ? this.#rows.at(-1) : undefined;
    if (dropped !== undefined) {
      this.#takeOut(dropped);
      this.#frontier = this.#rows.at(-1)?.place;
    }
    if (this.#frontier !== undefined && this.#rows.length < this.#limit) return undefined;
    const put = this.#byId.get(id);
    const gone = [put === undefined ? old : undefined, dropped].flatMap((one) => one?.stored.id ?? []);
    return { change: this.#changeBy(event, old, put), put: put?.stored, remove: [...new Set(gone)] };
  }

  /** What an event changes among those that are shown. */
  #changeBy(
    event: ResourceEvent<unknown>,
    old: Row<T> | undefined,
    row: Row<T> | undefined,
  ): FollowChange<T> | undefined {
    if (!this.#isLimited) {
      this.#records = undefined;
      return this.#ownChange(event, old, row);
    }
    const before = this.#shown;
    this.#show();
    const id = event.resourceId;
    const added = [...this.#shown.keys()].filter((one) => !before.has(one));
    const removed = [...before.keys()].filter((one) => !this.#shown.has(one));
    const changed = before.has(id) && this.#shown.has(id) ? [id] : [];
    if (added.length + removed.length + changed.length === 0) return undefined;
    const isOwn = [...added, ...removed].every((one) => one === id);
    if (isOwn) return this.#ownChange(event, before.get(id), this.#shown.get(id));
    return this.#snapshotChange('shifted', event.cursor, before, { added, changed, removed });
  }

  #ownChange(
    event: ResourceEvent<unknown>,
    old: Row<T> | undefined,
    row: Row<T> | undefined,
  ): FollowChange<T> {
    const { resourceId: id } = event;
    if (row === undefined) {
      const kind = this.#options.isFiltered ? 'left-or-deleted' : 'deleted';
      return { kind, id, previous: old?.record, event: changeEvent(event) };
    }
    const { record } = row;
    return old === undefined
      ? { kind: 'created', id, record, event: changeEvent(event) }
      : { kind: 'updated', id, record, previous: old.record, event: changeEvent(event) };
  }

  #snapshotChange(
    reason: SnapshotChange<T>['reason'],
    cursor: string,
    before: ReadonlyMap<string, Row<T>>,
    { added, changed, removed }: SnapshotDifference,
  ): SnapshotChange<T> {
    const record = (id: string): T => (this.#shown.get(id) as Row<T>).record;
    const previous = (id: string): T => (before.get(id) as Row<T>).record;
    return {
      kind: 'snapshot',
      reason,
      records: this.records,
      added: added.map((id) => ({ id, record: record(id) })),
      changed: changed.map((id) => ({ id, record: record(id), previous: previous(id) })),
      removed: removed.map((id) => ({ id, previous: previous(id) })),
      cursor,
    };
  }

  get #isLimited(): boolean {
    return this.#limit !== Number.POSITIVE_INFINITY;
  }

  #show(): void {
    this.#records = undefined;
    this.#shown = this.#isLimited
      ? new Map(this.#rows.slice(0, this.#limit).map((row) => [row.stored.id, row]))
      : this.#byId;
  }

  /** What the server would send of a record. It has already checked that the fields exist. */
  #shownOf(value: JsonObject): JsonObject {
    const text = fieldsOf(this.#view, this.#idPointer())?.join(',');
    if (text === undefined) return value;
    if (this.#fields?.text !== text) this.#fields = { text, selection: parseFields(text, () => true) };
    return project(value, this.#fields.selection) as JsonObject;
  }

  #row(stored: StoredRecord, order: readonly SortKey[]): Row<T> {
    const { schema, resource } = this.#options;
    const { id, record: value } = stored;
    const record = readRecord(schema, value, `the record ${id} of ${resource}`);
    return { place: pageKeyOf({ id, value }, order), stored, record };
  }

  #isBehind({ place }: Row<T>): boolean {
    return this.#frontier !== undefined && this.#compare(place, this.#frontier) > 0;
  }

  #insert(row: Row<T>): void {
    this.#rows.splice(this.#indexOf(row), 0, row);
    this.#byId.set(row.stored.id, row);
  }

  #takeOut(row: Row<T>): void {
    this.#rows.splice(this.#indexOf(row), 1);
    this.#byId.delete(row.stored.id);
  }

  /** Where a row is, or belongs. */
  #indexOf({ place }: Row<T>): number {
    let [from, to] = [0, this.#rows.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#compare((this.#rows[middle] as Row<T>).place, place) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

const NO_DIFFERENCE: SnapshotDifference = { added: [], changed: [], removed: [] };

function givenOf(rows: ReadonlyMap<string, Row<unknown>>): ReadonlyMap<string, JsonObject> {
  return new Map(Array.from(rows, ([id, { stored }]) => [id, stored.record]));
}
