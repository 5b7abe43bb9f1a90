import type { Vendor } from '../domain/restaurant.ts';

/** Identifies an entry. The parts that a kind does not need are empty strings. */
export interface EntryKey {
  /**
   * `catalogue`: an operator's restaurants; `meals`: those that a restaurant offers; `day`: its menus on a date;
   * `detail`: more about one menu; `operator`: when an operator was last read; `note`: what an operator's code keeps, such
   * as the session of an account, which is a secret.
   */
  readonly kind: 'catalogue' | 'meals' | 'day' | 'detail' | 'operator' | 'note';
  /** The operator. */
  readonly vendor: Vendor;
  /** `Restaurant.id`. */
  readonly restaurantId: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `Menu.id` for `detail`, the name of a `note`. */
  readonly item: string;
}

/** An entry as the store has it. */
export interface StoredEntry {
  /** What the entry is about. */
  readonly key: EntryKey;
  /** 1 for the first version, and one more for each later one. */
  readonly revision: number;
  /** JSON text, as it was written. */
  readonly body: string;
}

/** Which days `MenuStore.readDays` reads, a part at a time. */
export interface DayRange {
  /** First date, included, `YYYY-MM-DD`. */
  readonly from: string;
  /** Last date, included, `YYYY-MM-DD`. */
  readonly to: string;
  /** Only days after this one, in the order of the answer. */
  readonly after?: EntryKey;
  /** Entries at most; at least 1. */
  readonly limit: number;
}

/** How often a restaurant was wanted on one day, without saying by whom. */
export interface InterestCount {
  /** The operator. */
  readonly vendor: Vendor;
  /** `Restaurant.id`. */
  readonly restaurantId: string;
  /** The day on which it was wanted, `YYYY-MM-DD`. */
  readonly date: string;
  /** 1 to 10,000. */
  readonly count: number;
}

/**
 * Where a service keeps what it read: entries with optimistic concurrency, and leases, both shared by every process
 * that opens the same store. Every method throws `MenuStoreError` when the store cannot be reached.
 */
export interface MenuStore extends AsyncDisposable {
  /** The entry with this key; undefined if there is none. */
  read(key: EntryKey): Promise<StoredEntry | undefined>;
  /** Entries of kind `day` within the range, by vendor, restaurant id and date in code point order. */
  readDays(range: DayRange): Promise<readonly StoredEntry[]>;
  /**
   * Writes the entry if it still has the revision that the writer saw (0 for none).
   * @returns the new revision, or undefined if somebody else wrote first
   */
  write(key: EntryKey, body: string, expectedRevision: number): Promise<number | undefined>;
  /** Takes the lease if it is free or has ended, or extends the holder's own; false while another holder has it. */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<boolean>;
  /** Frees the lease if this holder has it. */
  releaseLease(name: string, holder: string): Promise<void>;
  /** Adds to the counts; a call has each restaurant and day at most once. */
  addInterest(counts: readonly InterestCount[]): Promise<void>;
  /** The sums of an operator's restaurants and days from this date on, in any order. */
  readInterest(vendor: Vendor, from: string): Promise<readonly InterestCount[]>;
  /** Removes what belongs to dates before this one, `YYYY-MM-DD`, including counts of interest. @returns how many entries */
  prune(beforeDate: string): Promise<number>;
  /** Releases the store's resources; a second call waits for the first. */
  close(): Promise<void>;
}

export function entryKey(
  kind: EntryKey['kind'],
  vendor: Vendor,
  restaurantId = '',
  date = '',
  item = '',
): EntryKey {
  return { kind, vendor, restaurantId, date, item };
}

/** The key as one string, for maps and lease names. */
export function formatEntryKey(key: EntryKey): string {
  return JSON.stringify([key.kind, key.vendor, key.restaurantId, key.date, key.item]);
}
