import { addDays, seoulToday } from '../domain/calendar-date.ts';
import { MenuError } from '../domain/menu-error.ts';
import type { Clock } from '../http/clock.ts';
import { type LeaseHolder, withLease } from '../store/hold-lease.ts';
import type { OperatorCache } from './operator-cache.ts';

export interface PrefetchOptions {
  /** Today and the days after it, 1 to 14. @default 7 */
  readonly days: number;
  /** Between the end of a round and the beginning of the next. @default 5 min */
  readonly intervalMs: number;
  /** Days that are kept after they have passed. @default 30 */
  readonly keepDays: number;
}

export const DEFAULT_PREFETCH: PrefetchOptions = { days: 7, intervalMs: 5 * 60_000, keepDays: 30 };

export interface PrefetchProgress {
  readonly done: number;
  readonly total: number;
}

export interface PrefetcherSettings extends PrefetchOptions {
  readonly operators: readonly OperatorCache[];
  readonly lease: LeaseHolder;
  readonly closing: AbortSignal;
  readonly onBackgroundError: (error: unknown) => void;
}

/** After a round that could not even read a catalogue, or that another process does. */
const RETRY_MS = 30_000;

/**
 * Keeps the coming days of every restaurant fresh, the nearest day first, in the background of each operator's lane.
 * Each operator has rounds of its own, so that none waits for another. Of the processes that share a store one does an
 * operator's round at a time; what is fresh is not asked for again, so a restart goes on where the last process stopped.
 */
export class Prefetcher {
  readonly #settings: PrefetcherSettings;
  readonly #clock: Clock;
  readonly #counts = new Map<OperatorCache, { done: number; total: number }>();

  constructor(settings: PrefetcherSettings) {
    this.#settings = settings;
    this.#clock = settings.lease.clock;
  }

  /** Of each operator's present round, or of its last one. */
  get progress(): PrefetchProgress {
    const counts = [...this.#counts.values()];
    return {
      done: counts.reduce((sum, count) => sum + count.done, 0),
      total: counts.reduce((sum, count) => sum + count.total, 0),
    };
  }

  /** Runs until the service is closed. */
  async run(): Promise<void> {
    await Promise.all(this.#settings.operators.map((operator) => this.#keepFilling(operator)));
  }

  async #keepFilling(operator: OperatorCache): Promise<void> {
    const { lease, closing, intervalMs, onBackgroundError } = this.#settings;
    while (!closing.aborted) {
      let complete = false;
      try {
        const round = await withLease(lease, `prefetch:${operator.vendor}`, () => this.#round(operator));
        // While another process has the lease, this one waits to take over.
        complete = round?.value ?? false;
      } catch (error) {
        if (!closing.aborted) onBackgroundError(error);
      }
      await this.#clock.sleep(complete ? intervalMs : Math.min(RETRY_MS, intervalMs), closing);
    }
  }

  /** False where the operator's restaurants could not be read. */
  async #round(operator: OperatorCache): Promise<boolean> {
    const today = seoulToday(this.#clock.nowMs());
    const complete = await this.#fill(operator, today);
    await this.#settings.lease.store.prune(addDays(today, -this.#settings.keepDays));
    return complete;
  }

  async #fill(operator: OperatorCache, today: string): Promise<boolean> {
    const restaurants = await operator.catalogue.refresh().catch((error: unknown) => {
      if (error instanceof MenuError) return undefined;
      throw error;
    });
    if (restaurants === undefined) return false;
    const dates = Array.from({ length: this.#settings.days }, (_, day) => addDays(today, day));
    const count = { done: 0, total: dates.length * restaurants.length };
    this.#counts.set(operator, count);
    const jobs = dates.flatMap((date) => restaurants.map(({ id }) => ({ id, date }))).values();
    const worker = async () => {
      for (const { id, date } of jobs) {
        if (this.#settings.closing.aborted) return;
        await this.#refresh(operator, id, date);
        count.done += 1;
      }
    };
    await Promise.all(Array.from({ length: operator.gate.operator.maxConcurrentRequests }, worker));
    return true;
  }

  async #refresh(operator: OperatorCache, id: string, date: string): Promise<void> {
    if (await operator.days.isFresh(id, date)) return;
    for (let pausedMs = operator.gate.pausedMs; pausedMs > 0; pausedMs = operator.gate.pausedMs) {
      await this.#clock.sleep(pausedMs, this.#settings.closing);
      if (this.#settings.closing.aborted) return;
    }
    await operator.days.refresh(id, date).catch((error: unknown) => {
      if (!(error instanceof MenuError)) throw error;
    });
  }
}
