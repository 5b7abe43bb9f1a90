import { addDays, seoulToday } from '../../domain/calendar-date.ts';
import { MenuError } from '../../domain/menu-error.ts';
import type { Clock } from '../../http/clock.ts';
import { type LeaseHolder, withLease } from '../../store/hold-lease.ts';
import { type DayEntry, type DayState, dayCost, dayState } from '../entry/day-entry.ts';
import { dueBundles, type Freshness } from '../entry/freshness.ts';
import type { OperatorCache } from '../operator/operator-cache.ts';
import { interestSince, scoreInterest } from './interest.ts';
import { type PlannedRead, planReads, type ReadPlan } from './read-plan.ts';

/** What is read ahead, so that questions need not wait. */
export interface PrefetchOptions {
  /** Today and the days after it, 1 to 14. @default 7 */
  readonly days: number;
  /** Pause between the end of a plan and the next one, when nothing more is due. @default 5 min */
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
  readonly freshness: Freshness;
  /** Adds this process's counts to the store. */
  readonly flushInterest: () => Promise<void>;
  readonly closing: AbortSignal;
  readonly onBackgroundError: (error: unknown) => void;
}

/** Pause when a plan could not be made without a catalogue, or while another process reads ahead. */
const RETRY_MS = 30_000;

/** Requests for a day that was never read: three meals, and their list. */
const USUAL_COST = 4;

const PAGE = 100;

/** What this process knows about one operator's days. */
interface Progress {
  /** By date, then by restaurant. */
  readonly days: Map<string, Map<string, DayState>>;
  /** By restaurant, as many as its last day took. */
  readonly costs: Map<string, number>;
  total: number;
  due: number;
}

/**
 * Keeps the coming days fresh, in the background of each operator's lane and within its budget: what people are
 * interested in first. Of the processes that share a store, one at a time reads ahead for an operator. What is fresh is
 * not asked for again, so a restart continues where the last process stopped.
 */
export class Prefetcher {
  readonly #settings: PrefetcherSettings;
  readonly #clock: Clock;
  readonly #progress = new Map<OperatorCache, Progress>();

  constructor(settings: PrefetcherSettings) {
    this.#settings = settings;
    this.#clock = settings.lease.clock;
  }

  /** How many restaurant-days are as fresh as they should be, and how many are read ahead in all. */
  get progress(): PrefetchProgress {
    const each = [...this.#progress.values()];
    const total = each.reduce((sum, progress) => sum + progress.total, 0);
    return { done: total - each.reduce((sum, progress) => sum + progress.due, 0), total };
  }

  /** Runs until the service is closed. */
  async run(): Promise<void> {
    await Promise.all(this.#settings.operators.map((operator) => this.#keepReading(operator)));
  }

  async #keepReading(operator: OperatorCache): Promise<void> {
    const { lease, closing, intervalMs, onBackgroundError } = this.#settings;
    while (!closing.aborted) {
      let pauseMs = Math.min(RETRY_MS, intervalMs);
      try {
        const held = await withLease(lease, `prefetch:${operator.vendor}`, () => this.#readAhead(operator));
        // While another process has the lease, this one waits to take over.
        if (held?.value === true) pauseMs = intervalMs;
      } catch (error) {
        if (!closing.aborted) onBackgroundError(error);
      }
      await this.#clock.sleep(pauseMs, closing);
    }
  }

  /** Carries out one plan after the other until nothing is due. @returns false without a catalogue */
  async #readAhead(operator: OperatorCache): Promise<boolean> {
    const { lease, keepDays, closing } = this.#settings;
    for (;;) {
      const today = seoulToday(this.#clock.nowMs());
      const plan = await this.#plan(operator, today);
      if (plan !== undefined) await this.#carryOut(operator, plan.reads);
      await lease.store.prune(addDays(today, -keepDays));
      if (plan === undefined) return false;
      if (closing.aborted || plan.due <= plan.reads.length) return true;
    }
  }

  async #plan(operator: OperatorCache, today: string): Promise<ReadPlan | undefined> {
    const restaurants = await operator.catalogue.refresh().catch((error: unknown) => {
      if (error instanceof MenuError) return undefined;
      throw error;
    });
    if (restaurants === undefined) return undefined;
    const { lease, freshness, days, flushInterest } = this.#settings;
    const dates = Array.from({ length: days }, (_, day) => addDays(today, day));
    const progress = await this.#progressOf(operator, dates);
    await flushInterest();
    const counts = await lease.store.readInterest(operator.vendor, interestSince(today));
    const plan = planReads({
      nowMs: this.#clock.nowMs(),
      restaurantIds: restaurants.map(({ id }) => id),
      dates,
      interest: scoreInterest(counts, today),
      stateOf: (id, date) => progress.days.get(date)?.get(id),
      costOf: (id) => progress.costs.get(id) ?? USUAL_COST,
      freshness,
      maxRequests: operator.gate.operator.backgroundRequestsPerMinute ?? Number.POSITIVE_INFINITY,
    });
    progress.total = dates.length * restaurants.length;
    progress.due = plan.due;
    return plan;
  }

  /** Reads what the store has once; after that, this process knows what it has read itself. */
  async #progressOf(operator: OperatorCache, dates: readonly string[]): Promise<Progress> {
    const known = this.#progress.get(operator);
    if (known !== undefined) {
      for (const date of known.days.keys()) if (!dates.includes(date)) known.days.delete(date);
      return known;
    }
    const progress: Progress = { days: new Map(), costs: new Map(), total: 0, due: 0 };
    const range = { from: dates[0] ?? '', to: dates.at(-1) ?? '', limit: PAGE };
    const { store } = this.#settings.lease;
    for (let page = await store.readDays(range); page.length > 0; ) {
      for (const entry of page) {
        const day = entry.key.vendor === operator.vendor ? operator.days.decode(entry)?.value : undefined;
        if (day === undefined) continue;
        const { restaurantId, date } = entry.key;
        note(progress, { restaurantId, date }, this.#stateOf(day, date));
        progress.costs.set(restaurantId, dayCost(day));
      }
      const after = page.at(-1)?.key;
      page = after === undefined ? [] : await store.readDays({ ...range, after });
    }
    this.#progress.set(operator, progress);
    return progress;
  }

  /** What the next reading asks for: items of bundles of other days stay fresh longer than menus. */
  #stateOf(day: DayEntry, date: string): DayState {
    const { freshness } = this.#settings;
    const items = dueBundles(day, date, this.#clock.nowMs() + freshness.todayMs, freshness);
    return { ...dayState(day), cost: 1 + day.periods.length + items.length };
  }

  async #carryOut(operator: OperatorCache, reads: readonly PlannedRead[]): Promise<void> {
    const jobs = reads.values();
    const worker = async () => {
      for (const read of jobs) {
        if (this.#settings.closing.aborted) return;
        await this.#refresh(operator, read);
      }
    };
    await Promise.all(Array.from({ length: operator.gate.operator.maxConcurrentRequests }, worker));
  }

  async #refresh(operator: OperatorCache, read: PlannedRead): Promise<void> {
    for (let pausedMs = operator.gate.pausedMs; pausedMs > 0; pausedMs = operator.gate.pausedMs) {
      await this.#clock.sleep(pausedMs, this.#settings.closing);
      if (this.#settings.closing.aborted) return;
    }
    const progress = this.#progress.get(operator);
    try {
      const day = await operator.days.refresh(read.restaurantId, read.date);
      if (progress === undefined) return;
      note(progress, read, { ...this.#stateOf(day, read.date), triedAtMs: this.#clock.nowMs() });
      progress.costs.set(read.restaurantId, dayCost(day));
      if (dayState(day).readAtMs !== undefined) progress.due -= 1;
    } catch (error) {
      if (!(error instanceof MenuError)) throw error;
      if (progress !== undefined) note(progress, read, { triedAtMs: this.#clock.nowMs() });
    }
  }
}

function note({ days }: Progress, { restaurantId, date }: PlannedRead, state: DayState): void {
  const ofDate = days.get(date) ?? new Map<string, DayState>();
  days.set(date, ofDate.set(restaurantId, state));
}
