import type { Awaitable } from './authenticator.ts';

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Work that takes longer loses its turn, so that work that never ends does not block the rest. */
const MAX_TURN_MS = 10_000;

/** Limits how much work runs at once for each key; further work waits in order. */
export class KeyedTurns {
  readonly #limit: number;
  readonly #lines = new Map<string, Line>();

  /** @param limit at least 1 */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of keys with running or waiting work. */
  get size(): number {
    return this.#lines.size;
  }

  /** Whether work of the key may begin at once. */
  isFree(key: string): boolean {
    return (this.#lines.get(key)?.running ?? 0) < this.#limit;
  }

  /** Counts work that has already begun, until it ends. */
  hold<T>(key: string, work: Promise<T>): Promise<T> {
    this.#lineOf(key).running += 1;
    return work.finally(this.#turnOf(key));
  }

  /**
   * Begins work when it is its turn.
   * @param isWanted called then; work that is no longer wanted is skipped. @default it is wanted
   * @returns undefined for skipped work
   */
  async wait<T>(
    key: string,
    begin: () => Awaitable<T>,
    isWanted: () => boolean = () => true,
  ): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = this.#lineOf(key);
    line.waiting.push(resolve);
    if (line.running < this.#limit) this.#begin(line);
    await promise;
    const end = this.#turnOf(key);
    try {
      return isWanted() ? await begin() : undefined;
    } finally {
      end();
    }
  }

  /** Returns a function that ends the turn that has begun. */
  #turnOf(key: string): () => void {
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#end(key);
    };
    const timer = setTimeout(end, MAX_TURN_MS);
    timer.unref();
    return end;
  }

  #begin(line: Line): void {
    const next = line.waiting.shift();
    if (next === undefined) return;
    line.running += 1;
    next();
  }

  #end(key: string): void {
    const line = this.#lineOf(key);
    line.running -= 1;
    this.#begin(line);
    if (line.running === 0) this.#lines.delete(key);
  }

  #lineOf(key: string): Line {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    return line;
  }
}
