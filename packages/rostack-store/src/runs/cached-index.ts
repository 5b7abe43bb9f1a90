import type { LRUCache } from 'lru-cache';
import type { Head, Position } from 'rostack-core';
import type { StoredField } from '../resource/field.ts';
import { firstOf, type IndexCut, type IndexPart } from './index-cut.ts';
import type { IndexRun } from './index-run.ts';
import { IndexRuns, isPage, type RunGap, type RunPage } from './index-runs.ts';
import { RunLoads } from './run-loads.ts';

/** Entries that one read fetches, if their records are small. */
const RUN_ROWS = 256;
/** One read fetches no more than about this, and runs are joined up to it. */
const RUN_BYTES = 131_072;
const RUN_OVERHEAD_BYTES = 1_024;
/** Changes of which the places are looked up when the head moves. */
const MAX_FOLLOWED = 100;
/** A run is joined to one that is at most so many times larger. */
const MAX_RATIO = 2;
/** A run takes this part of the memory at most. */
const SHARES = 8;

/** A position and its tag. */
export interface KnownPlace {
  readonly at: Position;
  readonly tag: string;
}

/** The runs of one index as of one position, and what is known of its rows. */
export class CachedIndex {
  readonly #lru: LRUCache<IndexRun, CachedIndex>;
  readonly #runs = new IndexRuns();
  readonly #loads = new RunLoads();
  /** An index of prefixes is read at one key at a time. */
  readonly #canGoOn: boolean;
  #epoch: string | undefined;
  #position: Position = 0;
  #tag = '';
  /** Until it is known, nothing is read beyond a page. */
  #rowBytes = RUN_BYTES;

  /** @param field undefined: the index of the ids */
  constructor(lru: LRUCache<IndexRun, CachedIndex>, field: StoredField | undefined) {
    this.#lru = lru;
    this.#canGoOn = field === undefined || field.index === 'whole';
  }

  /** A page of a position out of memory. */
  find(epoch: string, { at, tag }: KnownPlace, page: IndexPart): RunPage | undefined {
    if (!this.isAt({ epoch, position: at, tag })) return undefined;
    const found = this.look(page);
    if (!isPage(found)) return undefined;
    this.#loads.earn();
    return found;
  }

  /** The page, or what has to be read first. */
  look(page: IndexPart): RunPage | RunGap {
    return this.#runs.find(page, (run) => this.#lru.get(run));
  }

  /** What to read to fill a gap in a page: no more than the page needs, or further, when pages are known to meet again. */
  extent({ from, to }: RunGap, page: IndexPart): IndexPart {
    const least = page.limit + 1;
    const most = Math.min(RUN_ROWS, Math.floor(Math.min(RUN_BYTES, this.#maxRunBytes) / this.#rowBytes));
    return most > least && this.#canGoOn && this.#loads.take()
      ? { from, to, limit: most }
      : { from, to: firstOf(to, page.to), limit: least };
  }

  /** Whether the runs hold for this head. */
  isAt({ epoch, position, tag }: Omit<Head, 'floor'>): boolean {
    return epoch === this.#epoch && position === this.#position && tag === this.#tag;
  }

  /**
   * Where the runs are, when a few changes lead from there to a head, unless they are of another history: that is for the caller to
   * find out. Undefined when none of the runs can be kept.
   */
  placeBefore({ epoch, position, floor }: Head): KnownPlace | undefined {
    const isNear = position > this.#position && position - this.#position <= MAX_FOLLOWED;
    const isBefore = epoch === this.#epoch && isNear && floor <= this.#position;
    return isBefore ? { at: this.#position, tag: this.#tag } : undefined;
  }

  /**
   * Goes over to the state at a head.
   * @param touched where entries have changed on the way to it: runs around them are dropped; undefined: all are
   */
  moveTo({ epoch, position, tag }: Head, touched: readonly IndexCut[] | undefined): void {
    const stale = touched?.map((entry) => this.#runs.around(entry)) ?? this.#runs.clear();
    for (const run of stale) {
      if (run === undefined) continue;
      this.#runs.remove(run);
      this.#lru.delete(run);
    }
    this.#epoch = epoch;
    this.#position = position;
    this.#tag = tag;
  }

  /** Keeps a run of a head, unless it is too large, or the head has moved meanwhile. */
  add(run: IndexRun, head: Head): boolean {
    if (run.count > 0) this.#rowBytes = Math.max(1, run.bytes / run.count);
    if (run.bytes > this.#maxRunBytes || !this.isAt(head)) return false;
    if (!this.#runs.add(run)) return false;
    const merged = this.#merge(run);
    this.#lru.set(merged, this, { size: merged.bytes + RUN_OVERHEAD_BYTES });
    return true;
  }

  drop(run: IndexRun): void {
    this.#runs.remove(run);
  }

  /**
   * A page that lies in one run is not copied together, so runs that touch become one; but only those of about one size do, so that
   * each record is copied a few times at most.
   */
  #merge(run: IndexRun): IndexRun {
    const { before, after } = this.#runs.neighbours(run);
    const most = Math.min(RUN_BYTES - run.bytes, this.#maxRunBytes - run.bytes, MAX_RATIO * run.bytes);
    const other = [before, after].find((neighbour) => neighbour !== undefined && neighbour.bytes <= most);
    if (other === undefined) return run;
    for (const part of [run, other]) {
      this.#runs.remove(part);
      this.#lru.delete(part);
    }
    const merged = other === before ? other.joinedWith(run) : run.joinedWith(other);
    this.#runs.add(merged);
    return this.#merge(merged);
  }

  get #maxRunBytes(): number {
    return this.#lru.maxSize / SHARES - RUN_OVERHEAD_BYTES;
  }
}
