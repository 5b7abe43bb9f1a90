import type { LogPosition } from './log-position.ts';
import { OutOfOrderError } from './log-position.ts';
import type { LoggedChange } from './logged-change.ts';

export interface RingLimits {
  readonly maxChanges: number;
  readonly maxBytes: number;
}

/** The newest changes of a log, ascending and without gaps; the oldest are dropped when there are too many. */
export class ChangeRing {
  readonly #limits: RingLimits;
  #changes: LoggedChange[] = [];
  #start = 0;
  #bytes = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#changes.length - this.#start;
  }

  /** Rough size in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds the change after the newest one, or any change if the ring is empty.
   * @throws OutOfOrderError if it is not the next one; then it is not added
   */
  push(change: LoggedChange): void {
    const newest = this.#changes.at(-1)?.position;
    if (newest !== undefined && change.position !== newest + 1) {
      throw new OutOfOrderError(newest + 1, change.position);
    }
    this.#changes.push(change);
    this.#bytes += change.costBytes;
    while (this.size > this.#limits.maxChanges || (this.#bytes > this.#limits.maxBytes && this.size > 1)) {
      this.#bytes -= this.#changes[this.#start]?.costBytes ?? 0;
      this.#start += 1;
    }
    // Dropped changes stay in the array until they are an eighth of what is kept.
    if (this.#start > this.size / 8) {
      this.#changes = this.#changes.slice(this.#start);
      this.#start = 0;
    }
  }

  clear(): void {
    this.#changes = [];
    this.#start = 0;
    this.#bytes = 0;
  }

  /**
   * At most `limit` changes after a position; undefined if the ring does not reach back that far, or the position belongs to another
   * history.
   */
  after({ position, tag }: LogPosition, limit: number): readonly LoggedChange[] | undefined {
    const first = this.#changes[this.#start]?.position;
    if (first === undefined || position < first - 1) return undefined;
    const from = this.#start + (position - first + 1);
    const isSame = this.#changes[from]?.tagBefore === tag || from >= this.#changes.length;
    return isSame ? this.#changes.slice(from, from + limit) : undefined;
  }
}
