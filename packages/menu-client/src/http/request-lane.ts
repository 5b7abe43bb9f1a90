import { type MenuErrorCode, OperatorError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';
import type { ReadOptions } from '../operator/operator.ts';
import type { Clock } from './clock.ts';

export interface RequestLaneOptions {
  readonly vendor: Vendor;
  readonly clock: Clock;
  readonly maxConcurrentRequests: number;
  /** Budget, refilled evenly; a tenth of it may go out at once. */
  readonly maxRequestsPerMinute: number;
}

/** Ends of requests that the operator may still be answering: it is given a moment to see that nobody listens. */
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

/**
 * The one door to an operator: never more requests at once than it allows, never more per minute than the budget,
 * foreground before background. Background requests leave a quarter of the burst to the foreground.
 */
export class RequestLane implements AsyncDisposable {
  readonly #options: RequestLaneOptions;
  readonly #foreground = new Set<Waiting>();
  readonly #background = new Set<Waiting>();
  readonly #closing = new AbortController();
  readonly #burst: number;
  #tokens: number;
  #refilledAtMs: number;
  #active = 0;
  #wakeAtMs: number | undefined;

  constructor(options: RequestLaneOptions) {
    this.#options = options;
    this.#burst = Math.max(4, Math.ceil(options.maxRequestsPerMinute / 10));
    this.#tokens = this.#burst;
    this.#refilledAtMs = options.clock.nowMs();
  }

  /** Ends when the lane is closed: give it to every request. */
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
      const [queue, needed] =
        this.#foreground.size > 0
          ? ([this.#foreground, 1] as const)
          : ([this.#background, 1 + this.#burst / 4] as const);
      const [next] = queue;
      if (next === undefined) return;
      if (this.#tokens < needed) {
        this.#wakeIn(((needed - this.#tokens) * 60_000) / this.#options.maxRequestsPerMinute);
        return;
      }
      this.#tokens -= 1;
      this.#active += 1;
      next.start();
    }
  }

  #refill(): void {
    const nowMs = this.#options.clock.nowMs();
    const gained = ((nowMs - this.#refilledAtMs) * this.#options.maxRequestsPerMinute) / 60_000;
    this.#tokens = Math.min(this.#burst, this.#tokens + Math.max(0, gained));
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
