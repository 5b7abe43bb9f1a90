/** How much an event queue holds before its source is paused. */
export interface EventQueueLimits {
  readonly maxItems: number;
}

/** A queue between a source that does not wait and one consumer that does; it says when it is full and when there is room again. */
export class EventQueue<T> {
  readonly #maxItems: number;
  readonly #onRoom: () => void;
  #items: T[] = [];
  #isFull = false;
  #end: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** @param onRoom called when a queue that was full is half empty */
  constructor({ maxItems }: EventQueueLimits, onRoom: () => void) {
    this.#maxItems = maxItems;
    this.#onRoom = onRoom;
  }

  /** @returns false when there is no room for another one; this one is taken in any case */
  push(item: T): boolean {
    if (this.#end !== undefined) return true;
    this.#items.push(item);
    this.#wake?.();
    if (this.#items.length < this.#maxItems) return true;
    this.#isFull = true;
    return false;
  }

  /** Ends the queue: what is in it is still given out, then the error is thrown; without one the queue just ends. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** Ends the queue at once and forgets what is in it; the consumer gets the error, or the end. */
  clear(error?: unknown): void {
    this.#items = [];
    this.end(error);
  }

  /** The next item, waited for; undefined at the end. */
  async take(): Promise<T | undefined> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        this.#noteRoom();
        return item;
      }
      if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  #noteRoom(): void {
    if (!this.#isFull || this.#items.length > this.#maxItems / 2) return;
    this.#isFull = false;
    this.#onRoom();
  }
}
