import type { Hearer, PostgresListener } from './listener.ts';

/** The one listening connection of a process, open while there is at least one callback. */
export class SharedListener {
  readonly #open: (hearer: Required<Hearer>) => PostgresListener;
  readonly #hearers = new Set<Hearer>();
  #listener: PostgresListener | undefined;

  constructor(open: (hearer: Required<Hearer>) => PostgresListener) {
    this.#open = open;
  }

  /** Whether notifications arrive, as far as this process has been able to find out. */
  get isHeard(): boolean {
    return this.#listener?.isHeard === true;
  }

  /** Adds callbacks; returns a function that removes them. */
  add(hearer: Hearer): () => void {
    this.#hearers.add(hearer);
    // Covers earlier writes; a connection that is about to listen calls everyone.
    if (this.#listener !== undefined)
      queueMicrotask(() => this.#hearers.has(hearer) && hearer.onHint?.(undefined));
    this.#listener ??= this.#open({
      onHint: (resources) => {
        for (const { onHint } of this.#hearers) onHint?.(resources);
      },
      onNote: (attachment) => {
        for (const { onNote } of this.#hearers) onNote?.(attachment);
      },
    });
    return () => {
      this.#hearers.delete(hearer);
      if (this.#hearers.size > 0) return;
      this.#listener?.close();
      this.#listener = undefined;
    };
  }
}
