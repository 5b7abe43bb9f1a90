import { seoulToday } from '../../domain/calendar-date.ts';
import type { Vendor } from '../../domain/restaurant.ts';
import type { Clock } from '../../http/clock.ts';
import type { GuardedStore } from '../../store/guarded-store.ts';
import type { InterestCount } from '../../store/menu-store.ts';

const FLUSH_EVERY_MS = 60_000;
/** Ids are checked only when the counts are stored: until then, anybody can name restaurants that do not exist. */
const MAX_COUNTS = 5000;
const MAX_COUNT = 10_000;

/** Counts how often restaurants are asked for, by day, and adds it to the store now and then. Who asked is not kept. */
export class InterestCounter {
  readonly #store: GuardedStore;
  readonly #clock: Clock;
  readonly #listed: (vendor: Vendor) => Promise<ReadonlySet<string>>;
  #counts = new Map<string, InterestCount>();
  #flushedAtMs: number;
  #flushing: Promise<void> = Promise.resolve();

  /** @param listed the ids of an operator's restaurants, empty while they are unknown */
  constructor(store: GuardedStore, clock: Clock, listed: (vendor: Vendor) => Promise<ReadonlySet<string>>) {
    this.#store = store;
    this.#clock = clock;
    this.#listed = listed;
    this.#flushedAtMs = clock.nowMs();
  }

  note(vendor: Vendor, restaurantId: string): void {
    const date = seoulToday(this.#clock.nowMs());
    const name = JSON.stringify([vendor, restaurantId, date]);
    const { count = 0 } = this.#counts.get(name) ?? {};
    if (count === 0 && this.#counts.size >= MAX_COUNTS) return;
    this.#counts.set(name, { vendor, restaurantId, date, count: Math.min(MAX_COUNT, count + 1) });
    if (this.#clock.nowMs() - this.#flushedAtMs >= FLUSH_EVERY_MS) void this.flush();
  }

  /** Never rejects. */
  flush(): Promise<void> {
    this.#flushedAtMs = this.#clock.nowMs();
    this.#flushing = this.#flushing.then(() => this.#flush());
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    const vendors = [...new Set(counts.map(({ vendor }) => vendor))];
    const listed = new Map(
      await Promise.all(vendors.map(async (vendor) => [vendor, await this.#listed(vendor)] as const)),
    );
    await this.#store.addInterest(
      counts.filter(({ vendor, restaurantId }) => listed.get(vendor)?.has(restaurantId) === true),
    );
  }
}
