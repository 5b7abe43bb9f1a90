/** Numbers that look random and are the same for the same seed: mulberry32. */
export class SeededRandom {
  #state: number;

  /** @param seed an integer; its lowest 32 bits count */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return min + Math.floor(fraction * (max - min + 1));
  }

  /** True once in so many times, on average. */
  oneIn(times: number): boolean {
    return this.integer(1, times) === 1;
  }

  /**
   * One of the items, each as likely as the others.
   * @throws RangeError when the list is empty
   */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('nothing can be picked from an empty list');
    return list[this.integer(0, list.length - 1)] as T;
  }

  /** A list of some of the items, at least `min` of them, in any order. */
  some<T>(list: readonly T[], min: number, max: number): T[] {
    const rest = [...list];
    const count = this.integer(Math.min(min, rest.length), Math.min(max, rest.length));
    return Array.from({ length: count }, () => rest.splice(this.integer(0, rest.length - 1), 1)[0] as T);
  }
}
