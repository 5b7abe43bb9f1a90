import { type MenuErrorCode, OperatorError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';
import type { ReadOptions } from '../operator/operator.ts';
import type { Clock } from './clock.ts';

export interface RequestLaneOptions {
  readonly vendor: Vendor;
  readonly clock: Clock;
  readonly maxConcurrentRequests: number;
  /** In any 60 s. */
  readonly maxRequestsPerMinute: number;
}

/** The share of the budget reserved for the foreground; the background gets the rest. */
const FOREGROUND_SHARE = 0.5;

/** How many requests a minute reading ahead may make. */
export function backgroundRequestsPerMinute(maxRequestsPerMinute: number): number {
  return maxRequestsPerMinute * (1 - FOREGROUND_SHARE);
}

/** Failures after which the operator may still be answering: it gets a moment to notice that nobody is listening. */
const ABANDONED: ReadonlySet<MenuErrorCode> = new Set<MenuErrorCode>([
  'operator_timeout',
  'operator_answer_too_large',
  'aborted',
]);
const AFTER_ABANDONED_MS = 250;

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: OperatorError) => void;
}

/** Never more than `perMinute` in any 60 s: the refill rate is reduced by the burst that may go out at once. */
class Bucket {
  readonly #capacity: number;
  readonly #refillPerMs: number;
  #tokens: number;

  /** @param burst the part of a minute's tokens that may go out at once */
  constructor(perMinute: number, burst: number) {
    this.#capacity = Math.max(1, perMinute * burst);
    this.#refillPerMs = Math.max(perMinute - this.#capacity, perMinute / 10) / 60_000;
    this.#tokens = this.#capacity;
  }

  refill(elapsedMs: number): void {
    this.#tokens = Math.min(this.#capacity, this.#tokens + elapsedMs * this.#refillPerMs);
  }

  take(): boolean {
    // Rounding may leave a refill just below a whole token.
    if (this.#tokens < 1 - 1e-6) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Milliseconds until the next token. */
  get waitMs(): number {
    return Math.max(0, (1 - this.#tokens) / this.#refillPerMs);
  }
}

/**
 * The only way to an operator: never more requests at once than it allows, never more per minute than the budget.
 * Foreground and background each have half of it, so that neither waits for the other. The foreground goes first, and
 * may use the background's half while no background request waits.
 */
export class RequestLane implements AsyncDisposable {
  readonly #options: RequestLaneOptions;
  readonly #foreground = new Set<Waiting>();
  readonly #background = new Set<Waiting>();
  readonly #closing = new AbortController();
  readonly #buckets: { readonly foreground: Bucket; readonly background: Bucket };
  #refilledAtMs: number;
  #active = 0;
  #wakeAtMs: number | undefined;

  constructor(options: RequestLaneOptions) {
    this.#options = options;
    const background = backgroundRequestsPerMinute(options.maxRequestsPerMinute);
    this.#buckets = {
      foreground: new Bucket(options.maxRequestsPerMinute - background, 0.4),
      background: new Bucket(background, 0.1),
    };
    this.#refilledAtMs = options.clock.nowMs();
  }

  /** Aborts when the lane is closed: pass it to every request. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** @throws OperatorError `aborted`, `closed`, and what the request throws */
  async run<T>(request: () => Promise<T>, options: ReadOptions = {}): Promise<T> {
    await this.#turn(options);
    let pauseMs = 0;
    try {
      return options.exclusively === undefined
        ? await request()
        : await options.exclusively(request, options.signal);
    } catch (error) {
      if (error instanceof OperatorError && ABANDONED.has(error.code)) pauseMs = AFTER_ABANDONED_MS;
      throw error;
    } finally {
      this.#leave(pauseMs);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    for (const queue of [this.#foreground, this.#background]) {
      for (const waiting of queue) {
        waiting.refuse(new OperatorError(this.#options.vendor, 'closed', 'The operator was closed.'));
      }
      queue.clear();
    }
  }

  #leave(pauseMs: number): void {
    const free = () => {
      this.#active -= 1;
      this.#pump();
    };
    if (pauseMs === 0) free();
    else void this.#options.clock.sleep(pauseMs, this.#closing.signal).then(free);
  }

  #turn({ priority = 'foreground', signal }: ReadOptions): Promise<void> {
    const { vendor } = this.#options;
    if (this.#closing.signal.aborted) {
      return Promise.reject(new OperatorError(vendor, 'closed', 'The operator was closed.'));
    }
    if (signal?.aborted === true) {
      return Promise.reject(new OperatorError(vendor, 'aborted', 'The read was ended by its caller.'));
    }
    const queue = priority === 'foreground' ? this.#foreground : this.#background;
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.delete(waiting);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        start: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      const onAbort = () =>
        waiting.refuse(new OperatorError(vendor, 'aborted', 'The read was ended by its caller.'));
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.add(waiting);
      this.#pump();
    });
  }

  #pump(): void {
    this.#refill();
    while (this.#active < this.#options.maxConcurrentRequests) {
      const next = this.#next();
      if (next === undefined) return;
      this.#active += 1;
      next.start();
    }
  }

  /** The next request that may go now, having taken its token; undefined if none is waiting or all have to wait. */
  #next(): Waiting | undefined {
    const { foreground, background } = this.#buckets;
    const [first] = this.#foreground;
    const [second] = this.#background;
    if (first !== undefined) {
      if (foreground.take()) return first;
      if (second === undefined && background.take()) return first;
    }
    if (second !== undefined && background.take()) return second;
    const waits = [
      ...(first === undefined ? [] : [foreground.waitMs]),
      ...(second === undefined && first === undefined ? [] : [background.waitMs]),
    ];
    if (waits.length > 0) this.#wakeIn(Math.min(...waits));
    return undefined;
  }

  #refill(): void {
    const nowMs = this.#options.clock.nowMs();
    const elapsedMs = Math.max(0, nowMs - this.#refilledAtMs);
    this.#buckets.foreground.refill(elapsedMs);
    this.#buckets.background.refill(elapsedMs);
    this.#refilledAtMs = nowMs;
  }

  #wakeIn(delayMs: number): void {
    const atMs = this.#refilledAtMs + delayMs;
    if (this.#wakeAtMs !== undefined && this.#wakeAtMs <= atMs) return;
    this.#wakeAtMs = atMs;
    void this.#options.clock.sleep(Math.ceil(delayMs), this.#closing.signal).then(() => {
      if (this.#wakeAtMs === atMs) this.#wakeAtMs = undefined;
      if (!this.#closing.signal.aborted) this.#pump();
    });
  }
}
