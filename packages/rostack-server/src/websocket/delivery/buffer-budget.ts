/** Counts the bytes that wait in all sockets of a gateway together. */
export class BufferBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  /** @param maxBytes above this every congested connection is paused at its low-water mark */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get isExhausted(): boolean {
    return this.#usedBytes > this.#maxBytes;
  }

  adjust(byBytes: number): void {
    this.#usedBytes += byBytes;
  }
}
