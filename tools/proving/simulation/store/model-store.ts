import type { JsonObject, Position, Transition } from 'rostack-core';
import type { LoggedChange, Place } from '../../follows/history.ts';
import { EVENT_NAMES } from '../../follows/post.ts';

/** One history of a resource: an epoch, and all changes since the beginning. */
export interface Branch {
  readonly epoch: string;
  readonly rows: LoggedChange[];
}

export type Write =
  | { readonly op: 'put'; readonly record: JsonObject & { readonly id: string } }
  | { readonly op: 'delete'; readonly id: string };

/** The log and the records of one resource, as a database holds them, and all histories that it ever had. */
export class ModelResource {
  readonly name: string;
  readonly #branches: Branch[];
  readonly #records = new Map<string, JsonObject>();
  #floor: Position = 0;
  #transactions = 0;
  readonly #watchers = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
    this.#branches = [{ epoch: `${name}-e1`, rows: [] }];
  }

  get branch(): Branch {
    const branch = this.#branches.at(-1);
    if (branch === undefined) throw new Error('a resource always has a branch');
    return branch;
  }

  get head(): Position {
    return this.branch.rows.length;
  }

  get floor(): Position {
    return this.#floor;
  }

  get records(): ReadonlyMap<string, JsonObject> {
    return this.#records;
  }

  tagAt(position: Position): string {
    return this.branch.rows[position - 1]?.change.tag ?? '';
  }

  /** Writes in one transaction. */
  apply(writes: readonly Write[], nowMs: number): void {
    this.#transactions += 1;
    const tag = `t${this.#transactions}`;
    for (const write of writes) this.#write(write, tag, nowMs);
    this.#tellWatchers();
  }

  watch(onMoved: () => void): () => void {
    this.#watchers.add(onMoved);
    return () => this.#watchers.delete(onMoved);
  }

  /** Raises the floor. */
  prune(floor: Position): void {
    this.#floor = Math.max(this.#floor, Math.min(floor, this.head));
  }

  /** The same content under another epoch. */
  renewEpoch(): void {
    this.#begin(this.head, `${this.name}-e${this.#branches.length + 1}`);
  }

  /** Puts the database back to an earlier position, the end of a transaction; without `epoch` under the same one, unnoticed. */
  putBack(position: Position, epoch: 'new' | 'same'): void {
    let end = Math.max(position, this.#floor);
    while (end < this.head && end > 0 && this.tagAt(end) === this.tagAt(end + 1)) end += 1;
    this.#begin(end, epoch === 'new' ? `${this.name}-e${this.#branches.length + 1}` : this.branch.epoch);
  }

  /**
   * A history that has the place, the newest first; undefined when there never was one. Tags are never used twice, so that they alone
   * say which one it is; a gateway may learn of another epoch a little later than of the changes under it.
   */
  branchWith({ position, tag }: Place): Branch | undefined {
    return this.#branches.findLast(
      ({ rows }) => position <= rows.length && (rows[position - 1]?.change.tag ?? '') === tag,
    );
  }

  #begin(end: Position, epoch: string): void {
    const rows = this.branch.rows.slice(0, end);
    this.#branches.push({ epoch, rows });
    this.#records.clear();
    for (const { change, after } of rows) {
      if (after === undefined) this.#records.delete(change.id);
      else this.#records.set(change.id, after);
    }
    this.#tellWatchers();
  }

  #write(write: Write, tag: string, nowMs: number): void {
    const id = write.op === 'put' ? write.record.id : write.id;
    const before = this.#records.get(id);
    const after = write.op === 'put' ? write.record : undefined;
    if (before === undefined && after === undefined) return;
    const transition: Transition =
      after === undefined ? 'delete' : before === undefined ? 'create' : 'update';
    const { epoch, rows } = this.branch;
    const position = rows.length + 1;
    rows.push({
      before,
      after,
      change: {
        position,
        tag,
        eventId: `${epoch}-${position}-${tag}`,
        eventType: EVENT_NAMES[transition],
        transition,
        id,
        version: `${epoch}-${position}-${tag}`,
        occurredAtMs: nowMs,
        before: before && JSON.stringify(before),
        after: after && JSON.stringify(after),
      },
    });
    if (after === undefined) this.#records.delete(id);
    else this.#records.set(id, after);
  }

  #tellWatchers(): void {
    for (const onMoved of this.#watchers) onMoved();
  }
}
