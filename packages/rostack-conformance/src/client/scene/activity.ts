/** Lets a check wait for what a client does: whoever sees something happen says so, and all who wait look again. */
export class Activity {
  readonly #looks = new Set<() => void>();

  /** Something has happened. */
  notify(): void {
    for (const look of this.#looks) look();
  }

  /** The first thing other than undefined that `find` gives; undefined when there was none in time. */
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
