import type { Level, Logger } from 'pino';

/** How long the same thing is counted before it is said again. */
const WINDOW_MS = 60_000;

/** Different things that are counted at once; beyond them each is said. */
const MAX_COUNTED = 1_000;

interface Counted {
  readonly timer: NodeJS.Timeout;
  readonly level: Level;
  readonly members: object;
  readonly message: string;
  times: number;
}

/**
 * Says a thing once, in full; what is the same within the next minute is counted, and its number said when the minute has passed, or at the
 * end.
 */
export class Repeats implements Disposable {
  readonly #logger: Logger;
  readonly #counted = new Map<string, Counted>();
  #isDisposed = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * @param key what makes two of them the same
   * @param summary what is still worth knowing of all of them together
   */
  say(key: string, level: Level, message: string, members: object, summary: object): void {
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    this.#logger[level](members, message);
    if (this.#isDisposed || this.#counted.size >= MAX_COUNTED) return;
    const timer = setTimeout(() => this.#sum(key), WINDOW_MS).unref();
    this.#counted.set(key, { timer, level, members: summary, message, times: 0 });
  }

  /** Says the numbers of what is still counted; from then on everything is said. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const key of this.#counted.keys()) this.#sum(key);
  }

  #sum(key: string): void {
    const counted = this.#counted.get(key);
    this.#counted.delete(key);
    if (counted === undefined) return;
    clearTimeout(counted.timer);
    if (counted.times === 0) return;
    const { level, members, message, times } = counted;
    this.#logger[level]({ ...members, times, withinMs: WINDOW_MS }, `${message}, again`);
  }
}
