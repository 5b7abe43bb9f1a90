import type { Transition } from 'rostack-core';

/** Events of one second, by transition. */
export type Second = Readonly<Record<Transition, number>>;

const NOTHING: Second = { create: 0, update: 0, delete: 0 };

export const totalOf = (second: Second): number => second.create + second.update + second.delete;

/** Counts events by the second over a sliding window. */
export class RateWindow {
  readonly #seconds: number;
  readonly #counts = new Map<number, Second>();

  /** @param seconds how many whole seconds the window has */
  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  add(transition: Transition, nowMs: number): void {
    const second = Math.floor(nowMs / 1_000);
    const count = this.#counts.get(second) ?? NOTHING;
    this.#counts.set(second, { ...count, [transition]: count[transition] + 1 });
    for (const known of this.#counts.keys()) if (known < second - this.#seconds) this.#counts.delete(known);
  }

  /** The last whole seconds, oldest first; the current second is not over and is left out. */
  read(nowMs: number): readonly Second[] {
    const present = Math.floor(nowMs / 1_000);
    return Array.from(
      { length: this.#seconds },
      (_, index) => this.#counts.get(present - this.#seconds + index) ?? NOTHING,
    );
  }
}
