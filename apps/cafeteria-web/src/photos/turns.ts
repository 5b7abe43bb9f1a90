import { PhotoError } from './photo-error.ts';

const MAX_RUNNING = 4;
const MAX_WAITING = 64;

/** A few photos at a time are fetched and resized, a few more wait, and no others. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  /** @throws PhotoError `overloaded`, and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#active < MAX_RUNNING) {
      this.#active += 1;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) throw new PhotoError('overloaded', 'too many photos at once');
    // `#leave` passes its place on, so the count stays the same.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#active -= 1;
    else next();
  }
}
