/** How much an event queue holds before its source is paused. */
export interface EventQueueLimits {
  readonly maxItems: number;
  /** Sum of the sizes with which items were pushed. */
  readonly maxSize: number;
}

interface Entry<T> {
  readonly item: T;
  readonly size: number;
}

/** A queue between a source that does not wait and one consumer that does; it says when it is full and when there is room again. */
export class EventQueue<T> {
  readonly #limits: EventQueueLimits;
  readonly #onRoom: () => void;
  #entries: Entry<T>[] = [];
  #size = 0;
  #isFull = false;
  #end: { readonly error: unknown } | undefined;
  #wakes: (() => void)[] = [];

  /** @param onRoom called when a queue that was full is half empty */
  constructor(limits: EventQueueLimits, onRoom: () => void) {
    this.#limits = limits;
    this.#onRoom = onRoom;
  }

  /** @returns false when there is no room for another item; this one is taken in any case */
  push(item: T, size: number): boolean {
    if (this.#end !== undefined) return true;
    this.#entries.push({ item, size });
    this.#size += size;
    this.#wake();
    this.#isFull ||= this.#fills(1);
    return !this.#isFull;
  }

  /** Ends the queue: what is in it is still returned, then the error is thrown; without an error the queue just ends. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** Ends the queue at once and forgets what is in it; the consumer gets the error, or the end. */
  clear(error?: unknown): void {
    this.#entries = [];
    this.#size = 0;
    this.end(error);
  }

  /** The next item, waited for; undefined at the end. */
  async take(): Promise<T | undefined> {
    for (;;) {
      const entry = this.#entries.shift();
      if (entry !== undefined) {
        this.#size -= entry.size;
        this.#noteRoom();
        return entry.item;
      }
      if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wakes.push(resolve);
      });
    }
  }

  #noteRoom(): void {
    if (!this.#isFull || this.#fills(0.5)) return;
    this.#isFull = false;
    this.#onRoom();
  }

  #fills(share: number): boolean {
    const { maxItems, maxSize } = this.#limits;
    return this.#entries.length >= maxItems * share || this.#size >= maxSize * share;
  }

  #wake(): void {
    const wakes = this.#wakes;
    this.#wakes = [];
    for (const wake of wakes) wake();
  }
}
