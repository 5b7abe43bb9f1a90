import { setImmediate } from 'node:timers/promises';

/**
 * The next turn of the event loop. Those who wait for the same one go on together, each step of all before the next step of any: then the
 * processor still has at hand what the step needs.
 */
export class SharedTurn {
  readonly #onBegin: () => void;
  #next: Promise<void> | undefined;

  /** @param onBegin called before the first of them goes on */
  constructor(onBegin: () => void = () => {}) {
    this.#onBegin = onBegin;
  }

  next(): Promise<void> {
    this.#next ??= setImmediate().then(() => {
      this.#next = undefined;
      this.#onBegin();
    });
    return this.#next;
  }
}
