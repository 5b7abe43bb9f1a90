import type { Level, Logger } from 'pino';

/** How long repetitions are counted before the message is logged in full again. */
const WINDOW_MS = 60_000;

/** Most distinct messages counted at once; further ones are logged each time. */
const MAX_COUNTED = 1_000;

interface Counted {
  readonly timer: NodeJS.Timeout;
  readonly level: Level;
  readonly members: object;
  readonly message: string;
  times: number;
}

/**
 * Logs a message once, in full; repetitions within the next minute are counted, and their number is logged when the minute has passed, or
 * at the end.
 */
export class Repeats implements Disposable {
  readonly #logger: Logger;
  readonly #counted = new Map<string, Counted>();
  #isDisposed = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * @param key identical for messages that count as repetitions
   * @param summary members to log with their number
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

  /** Logs the pending counts; from then on every message is logged. */
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
