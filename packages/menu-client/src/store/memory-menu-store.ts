import type { Vendor } from '../domain/restaurant.ts';
import {
  type DayRange,
  type EntryKey,
  formatEntryKey,
  type InterestCount,
  type MenuStore,
  type StoredEntry,
} from './menu-store.ts';

/** Options of `memoryMenuStore`. */
export interface MemoryMenuStoreOptions {
  /** For the end of leases. @default Date.now */
  readonly nowMs?: () => number;
}

/** Keeps everything in this process; nothing survives it. */
export function memoryMenuStore(options: MemoryMenuStoreOptions = {}): MenuStore {
  return new MemoryMenuStore(options.nowMs ?? Date.now);
}

class MemoryMenuStore implements MenuStore {
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, StoredEntry>();
  readonly #interest = new Map<string, InterestCount>();
  readonly #leases = new Map<string, { readonly holder: string; readonly endsAtMs: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async read(key: EntryKey): Promise<StoredEntry | undefined> {
    return this.#entries.get(formatEntryKey(key));
  }

  async readDays({ from, to, after, limit }: DayRange): Promise<readonly StoredEntry[]> {
    return [...this.#entries.values()]
      .filter(({ key }) => key.kind === 'day' && key.date >= from && key.date <= to)
      .filter(({ key }) => after === undefined || compareDays(key, after) > 0)
      .sort((a, b) => compareDays(a.key, b.key))
      .slice(0, limit);
  }

  async write(key: EntryKey, body: string, expectedRevision: number): Promise<number | undefined> {
    const name = formatEntryKey(key);
    if ((this.#entries.get(name)?.revision ?? 0) !== expectedRevision) return undefined;
    this.#entries.set(name, { key, revision: expectedRevision + 1, body });
    return expectedRevision + 1;
  }

  async acquireLease(name: string, holder: string, ttlMs: number): Promise<boolean> {
    const nowMs = this.#nowMs();
    const lease = this.#leases.get(name);
    if (lease !== undefined && lease.holder !== holder && lease.endsAtMs > nowMs) return false;
    this.#leases.set(name, { holder, endsAtMs: nowMs + ttlMs });
    return true;
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    if (this.#leases.get(name)?.holder === holder) this.#leases.delete(name);
  }

  async addInterest(counts: readonly InterestCount[]): Promise<void> {
    for (const added of counts) {
      const name = JSON.stringify([added.vendor, added.restaurantId, added.date]);
      const { count = 0 } = this.#interest.get(name) ?? {};
      this.#interest.set(name, { ...added, count: count + added.count });
    }
  }

  async readInterest(vendor: Vendor, from: string): Promise<readonly InterestCount[]> {
    return [...this.#interest.values()].filter((each) => each.vendor === vendor && each.date >= from);
  }

  async prune(beforeDate: string): Promise<number> {
    let pruned = 0;
    for (const [name, { date }] of this.#interest) if (date < beforeDate) this.#interest.delete(name);
    for (const [name, { key }] of this.#entries) {
      if (key.date === '' || key.date >= beforeDate) continue;
      this.#entries.delete(name);
      pruned += 1;
    }
    return pruned;
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#interest.clear();
    this.#leases.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function compareDays(a: EntryKey, b: EntryKey): number {
  return compare(a.vendor, b.vendor) || compare(a.restaurantId, b.restaurantId) || compare(a.date, b.date);
}

/** Compares by code points, like the databases; UTF-16 units differ only beyond the basic plane. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
