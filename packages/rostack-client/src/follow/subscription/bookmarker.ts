import type { ClientContext } from '../../connection/context/client-context.ts';
import { serverDelayOf } from '../../connection/retry/retry.ts';
import { isProblem } from '../../http/error/is-problem.ts';

type BookmarkerContext = Pick<ClientContext, 'platform' | 'limits' | 'bookmarkAfterMs'>;

export interface BookmarkerOptions {
  /** The newest event position of the resource. @throws ClientError */
  readonly take: (signal: AbortSignal) => Promise<string | undefined>;
  /** The cursor after the last event; undefined before the first event of a subscription without a cursor. */
  readonly cursor: () => string | undefined;
  /** Whether there is no event between the two. @throws ClientError */
  readonly check: (cursor: string, bookmark: string) => Promise<boolean>;
  /** The bookmark is as good as the cursor, but newer. */
  readonly onSafe: (bookmark: string) => void;
}

/** Shares of `bookmarkAfterMs`; each wait takes a random one, so that clients that started together do not ask together. */
const SOON = [0, 1] as const;
const REGULAR = [0.5, 1] as const;
const AFTER_FAILURE = [0.125, 0.25] as const;

/** Keeps the cursor of a silent subscription fresh. Failures are tried again later and not reported. */
export class Bookmarker {
  readonly #context: BookmarkerContext;
  readonly #options: BookmarkerOptions;
  readonly #ending = new AbortController();
  #isStarted = false;
  #movedAtMs = Number.NEGATIVE_INFINITY;
  #waitMs = 0;
  #callOff: (() => void) | undefined;

  constructor(context: BookmarkerContext, options: BookmarkerOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Starts, once; the first check comes soon, since the cursor may be old already. */
  start(): void {
    if (this.#isStarted || this.#context.bookmarkAfterMs === 0) return;
    this.#isStarted = true;
    this.#wait(SOON);
  }

  /** The cursor has moved. */
  noteMoved(): void {
    this.#movedAtMs = this.#nowMs();
  }

  stop(): void {
    this.#callOff?.();
    this.#ending.abort();
  }

  #wait([least, most]: readonly [number, number], leastMs = 0): void {
    const { bookmarkAfterMs, platform } = this.#context;
    const share = least + (most - least) * platform.random();
    this.#waitMs = Math.max(bookmarkAfterMs * share, leastMs);
    this.#arm(this.#waitMs);
  }

  #arm(delayMs: number): void {
    if (this.#ending.signal.aborted) return;
    this.#callOff = this.#context.platform.clock.after(delayMs, () => void this.#wake(), true);
  }

  async #wake(): Promise<void> {
    const restMs = this.#movedAtMs + this.#waitMs - this.#nowMs();
    if (restMs > 0) {
      this.#arm(restMs);
      return;
    }
    try {
      this.#wait((await this.#replace()) ? REGULAR : AFTER_FAILURE);
    } catch (error) {
      // Without permission to read there are no bookmarks, unless it is granted later.
      const isDenied = isProblem(error, 'permission-denied');
      const askedMs = Math.min(serverDelayOf(error) ?? 0, this.#context.limits.maxServerDelayMs);
      this.#wait(isDenied ? REGULAR : AFTER_FAILURE, askedMs);
    }
  }

  /** @returns whether the cursor is new, or there is none */
  async #replace(): Promise<boolean> {
    const { take, cursor: cursorNow, check, onSafe } = this.#options;
    const cursor = cursorNow();
    if (cursor === undefined) return true;
    const bookmark = await take(this.#ending.signal);
    if (bookmark === undefined || bookmark === cursor) return true;
    // The gateway's answer is useless if the cursor has moved since.
    if (!(await check(cursor, bookmark))) return cursorNow() !== cursor;
    if (cursorNow() === cursor && !this.#ending.signal.aborted) onSafe(bookmark);
    return true;
  }

  #nowMs(): number {
    return this.#context.platform.clock.monotonicMs();
  }
}
