import type { Vendor } from '../domain/restaurant.ts';
import type { DayRange, EntryKey, InterestCount, MenuStore, StoredEntry } from './menu-store.ts';

/**
 * A store whose failures cost the cache but not the answer: reads find nothing, writes are lost, leases are granted.
 * It remembers whether the last call worked.
 */
export class GuardedStore {
  readonly #store: MenuStore;
  #status: 'ok' | 'down' = 'ok';

  constructor(store: MenuStore) {
    this.#store = store;
  }

  get status(): 'ok' | 'down' {
    return this.#status;
  }

  read(key: EntryKey): Promise<StoredEntry | undefined> {
    return this.#guard(() => this.#store.read(key), undefined);
  }

  readDays(range: DayRange): Promise<readonly StoredEntry[]> {
    return this.#guard(() => this.#store.readDays(range), []);
  }

  /** Undefined if somebody else wrote first, 0 if the store is down. */
  write(key: EntryKey, body: string, expectedRevision: number): Promise<number | undefined> {
    return this.#guard(() => this.#store.write(key, body, expectedRevision), 0);
  }

  acquireLease(name: string, holder: string, ttlMs: number): Promise<boolean> {
    return this.#guard(() => this.#store.acquireLease(name, holder, ttlMs), true);
  }

  releaseLease(name: string, holder: string): Promise<void> {
    return this.#guard(() => this.#store.releaseLease(name, holder), undefined);
  }

  addInterest(counts: readonly InterestCount[]): Promise<void> {
    return this.#guard(() => this.#store.addInterest(counts), undefined);
  }

  readInterest(vendor: Vendor, from: string): Promise<readonly InterestCount[]> {
    return this.#guard(() => this.#store.readInterest(vendor, from), []);
  }

  prune(beforeDate: string): Promise<number> {
    return this.#guard(() => this.#store.prune(beforeDate), 0);
  }

  async #guard<T>(call: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      const value = await call();
      this.#status = 'ok';
      return value;
    } catch {
      this.#status = 'down';
      return otherwise;
    }
  }
}
