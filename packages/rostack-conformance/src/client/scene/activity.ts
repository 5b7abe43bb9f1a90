/** Lets a check wait for what a client does: anything that sees an event calls `notify`, and everything that waits looks again. */
export class Activity {
  readonly #looks = new Set<() => void>();

  /** Reports that something has happened. */
  notify(): void {
    for (const look of this.#looks) look();
  }

  /** The first result of `find` other than undefined; undefined if there is none in time. */
  until<T>(find: () => T | undefined, withinMs: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const finish = (found: T | undefined): void => {
        clearTimeout(timer);
        this.#looks.delete(look);
        resolve(found);
      };
      const look = (): void => {
        const found = find();
        if (found !== undefined) finish(found);
      };
      const timer = setTimeout(() => finish(find()), withinMs);
      this.#looks.add(look);
      look();
    });
  }
}
