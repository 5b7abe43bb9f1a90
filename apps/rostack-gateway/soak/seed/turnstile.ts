/** Lets work pass until somebody needs a moment in which none is under way. */
export class Turnstile {
  readonly #underWay = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;

  async pass(work: () => Promise<void>): Promise<void> {
    while (this.#closed !== undefined) await this.#closed;
    const working = work();
    this.#underWay.add(working);
    try {
      await working;
    } finally {
      this.#underWay.delete(working);
    }
  }

  /** Runs `work` while nothing else is under way. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    try {
      await Promise.allSettled(this.#underWay);
      return await work();
    } finally {
      this.#closed = undefined;
      resolve();
    }
  }
}
