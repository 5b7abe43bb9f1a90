interface Timer {
  readonly atMs: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

const before = (a: Timer, b: Timer): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** Virtual time: runs what is due in order, and lets everything that follows from it settle before the next. */
export class Scheduler {
  #nowMs = 0;
  #order = 0;
  /** A binary heap. */
  readonly #timers: Timer[] = [];
  /** Turns taken so far. */
  steps = 0;

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Calls back once after a delay in whole ms. Returns how to call it off. */
  after(delayMs: number, callback: () => void): () => void {
    const atMs = this.#nowMs + Math.max(0, Math.ceil(delayMs));
    this.#order += 1;
    const timer: Timer = { atMs, order: this.#order, callback };
    this.#push(timer);
    return () => {
      timer.callback = undefined;
    };
  }

  /** Runs until a condition holds, looked at after each turn, or until a moment is reached. Returns whether it holds. */
  async runUntil(atMs: number, isDone: () => boolean = () => false): Promise<boolean> {
    while (!isDone()) {
      const timer = this.#timers[0];
      if (timer === undefined || timer.atMs > atMs) {
        this.#nowMs = Math.max(this.#nowMs, atMs);
        return isDone();
      }
      this.#pop();
      if (timer.callback === undefined) continue;
      this.#nowMs = timer.atMs;
      this.steps += 1;
      timer.callback();
      await settled();
    }
    return true;
  }

  #push(timer: Timer): void {
    const heap = this.#timers;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !before(timer, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = timer;
  }

  #pop(): void {
    const heap = this.#timers;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      const left = heap[below];
      const right = heap[below + 1];
      if (left === undefined) break;
      if (right !== undefined && before(right, left)) below += 1;
      const child = heap[below];
      if (child === undefined || !before(child, last)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
  }
}

/** Resolves when no promise and no tick of the process waits any more. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
