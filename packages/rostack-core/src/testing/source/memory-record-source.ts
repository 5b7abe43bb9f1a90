import { compileFilter } from '../../query/filter/compile-filter.ts';
import type { Filter } from '../../query/filter/filter.ts';
import type { Change, Position, Transition } from '../../record/change.ts';
import { pageOf } from '../../record/page-of.ts';
import {
  type Head,
  type Page,
  type PageQuery,
  PositionExpiredError,
  type RecordSource,
  type StoredRecord,
} from '../../record/record-source.ts';
import {
  type JsonObject,
  type JsonValue,
  parseTrustedJson,
  type RecordId,
  recordIdText,
} from '../../text/json.ts';

/** Options of `MemoryRecordSource`. */
export interface MemoryRecordSourceOptions {
  /** Id of the history. Give each source its own if cursors outlive it. @default 'memory' */
  readonly epoch?: string;
  /** When a change occurs, in ms since the epoch. @default always 0 */
  readonly nowMs?: () => number;
  /** Names of the event descriptors. @default none */
  readonly events?: Readonly<Partial<Record<Transition, string>>>;
}

/**
 * A record source that keeps everything in memory: for tests, and as an example of the contract in its simplest form. Each page sorts
 * all records, so use it for a few thousand at most.
 */
export class MemoryRecordSource implements RecordSource {
  readonly #options: MemoryRecordSourceOptions;
  readonly #watchers = new Set<{ readonly onMoved: () => void }>();
  readonly #current = new Map<string, StoredRecord>();
  /** The state at the floor, and the changes since. */
  #oldest = new Map<string, StoredRecord>();
  #changes: Change[] = [];
  #floor: Pick<Change, 'position' | 'tag'> = { position: 0, tag: '' };

  constructor(options: MemoryRecordSourceOptions = {}) {
    this.#options = options;
  }

  /**
   * Writes a record as one change, replacing the record with the same id. The id is its member `id`.
   * @throws RangeError when that is not an id, see `recordIdText`
   */
  put(record: JsonObject): Change {
    const id = recordIdText(record['id']);
    if (id === undefined) throw new RangeError('A record needs a member `id`: a string or an integer.');
    return this.#commit(id, JSON.stringify(record));
  }

  /** Deletes a record; undefined when there is none. */
  delete(id: RecordId): Change | undefined {
    const text = String(id);
    return this.#current.has(text) ? this.#commit(text, undefined) : undefined;
  }

  /** Forgets the changes up to a position, which becomes the floor. @default the head */
  prune(upTo: Position = this.#newest.position): void {
    const floor = Math.min(upTo, this.#newest.position);
    if (floor <= this.#floor.position) return;
    this.#oldest = new Map(this.#stateAt(floor));
    this.#floor = this.#place(floor) ?? this.#floor;
    this.#changes = this.#changes.filter(({ position }) => position > floor);
  }

  async head(): Promise<Head> {
    return this.#head();
  }

  async page(query: PageQuery): Promise<Page> {
    const head = this.#head();
    const position = query.at ?? head.position;
    if (position > head.position) throw new PositionExpiredError(`${position} is beyond the head`);
    this.#check(position, query.tag);
    return pageOf(head, this.#stateAt(position).values(), query);
  }

  async get(id: string, visible?: Filter): Promise<StoredRecord | 'gone' | undefined> {
    const matches = visible === undefined ? () => true : compileFilter(visible);
    const isVisible = (body: string) => matches(parseTrustedJson(body) as JsonValue);
    const stored = this.#current.get(id);
    if (stored !== undefined) return isVisible(stored.body) ? stored : undefined;
    const last = this.#changes.findLast((change) => change.id === id)?.before;
    return last !== undefined && isVisible(last) ? 'gone' : undefined;
  }

  async tagAt(position: Position): Promise<string | undefined> {
    return this.#place(position)?.tag;
  }

  async read(after: Position, limit: number, tag?: string): Promise<readonly Change[]> {
    this.#check(after, tag);
    const from = after - this.#floor.position;
    return this.#changes.slice(from, from + limit);
  }

  watch(onMoved: () => void): () => void {
    const watcher = { onMoved };
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  get #newest(): Pick<Change, 'position' | 'tag'> {
    return this.#changes.at(-1) ?? this.#floor;
  }

  #head(): Head {
    const { position, tag } = this.#newest;
    return { position, tag, floor: this.#floor.position, epoch: this.#options.epoch ?? 'memory' };
  }

  #place(position: Position): Pick<Change, 'position' | 'tag'> | undefined {
    if (position === this.#floor.position) return this.#floor;
    return this.#changes[position - this.#floor.position - 1];
  }

  #check(position: Position, tag: string | undefined): void {
    if (position < this.#floor.position) throw new PositionExpiredError(`${position} is below the floor`);
    if (tag === undefined || this.#place(position)?.tag === tag) return;
    throw new PositionExpiredError(`${position} is of another history`);
  }

  #stateAt(position: Position): Map<string, StoredRecord> {
    if (position === this.#newest.position) return this.#current;
    const state = new Map(this.#oldest);
    for (const change of this.#changes.slice(0, position - this.#floor.position)) applyTo(state, change);
    return state;
  }

  #commit(id: string, after: string | undefined): Change {
    const { events = {}, nowMs = () => 0 } = this.#options;
    const position = this.#newest.position + 1;
    const before = this.#current.get(id)?.body;
    const transition = after === undefined ? 'delete' : before === undefined ? 'create' : 'update';
    const name = `${this.#options.epoch ?? 'memory'}-${position}`;
    const change: Change = {
      position,
      tag: `t${position}`,
      eventId: name,
      eventType: events[transition],
      transition,
      id,
      version: name,
      occurredAtMs: nowMs(),
      before,
      after,
    };
    this.#changes.push(change);
    applyTo(this.#current, change);
    for (const { onMoved } of this.#watchers) onMoved();
    return change;
  }
}

function applyTo(state: Map<string, StoredRecord>, { id, version, position, after }: Change): void {
  if (after === undefined) state.delete(id);
  else state.set(id, { id, version, position, body: after });
}
