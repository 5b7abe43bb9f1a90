/** Passes what it is told on to whoever listens. */
export class Announcer<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Listens until the returned function is called. */
  listen(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}
