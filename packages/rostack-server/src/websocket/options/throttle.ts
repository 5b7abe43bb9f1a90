/** Lets something happen at most once in a while, such as an alarm that many could raise. */
export class Throttle {
  readonly #pauseMs: number;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** True when the pause since it last said so is over. */
  permits(nowMs: number): boolean {
    if (nowMs - this.#lastMs < this.#pauseMs) return false;
    this.#lastMs = nowMs;
    return true;
  }
}
