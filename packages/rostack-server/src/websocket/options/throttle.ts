/** Lets something happen only once per pause, such as an alarm that could be raised very often. */
export class Throttle {
  readonly #pauseMs: number;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** True if the pause since it last returned true is over. */
  permits(nowMs: number): boolean {
    if (nowMs - this.#lastMs < this.#pauseMs) return false;
    this.#lastMs = nowMs;
    return true;
  }
}
