import type { DailyMenu } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import type { MenuErrorCode } from '../domain/menu-error.ts';
import type { Restaurant, Vendor } from '../domain/restaurant.ts';

export interface SearchOptions {
  /** 1 to 50. @default 20 */
  readonly limit?: number;
}

/** An operator whose restaurants have never been read: an answer over all operators lacks them. */
export interface UnreadOperator {
  readonly vendor: Vendor;
  /** Why they could not be read; `deadline_exceeded` while the first answer is still awaited. */
  readonly reason: MenuErrorCode;
  /** When they were first asked for in vain (RFC 3339, UTC). */
  readonly since: string;
  /** Milliseconds until they are asked for again. */
  readonly retryAfterMs: number;
}

/** Restaurants of all operators but the `incomplete` ones. */
export interface RestaurantList {
  readonly restaurants: readonly Restaurant[];
  /** Empty when every operator was looked at: only then a list without restaurants means that there are none. */
  readonly incomplete: readonly UnreadOperator[];
}

/** What is read from an operator. */
export type ReadSubject = 'restaurants' | 'meals' | 'menus' | 'detail';

/**
 * - `ok`: what was read last could be read
 * - `degraded`: reads fail; questions are answered from the cache, and say what they lack
 * - `down`: questions cannot be answered, since not even the restaurants are known
 */
export type HealthStatus = 'ok' | 'degraded' | 'down';

export interface OperatorHealth {
  readonly vendor: Vendor;
  readonly status: HealthStatus;
  /** RFC 3339, UTC; null until the first success. */
  readonly lastSuccessAt: string | null;
  /** What could not be read when this process last tried, and is tried again. */
  readonly retrying: readonly {
    readonly what: ReadSubject;
    readonly reason: MenuErrorCode;
    /** The first failure since it last worked (RFC 3339, UTC). */
    readonly since: string;
  }[];
  /** Of this process: `open` lets no read through until `retryAt`, `half-open` lets one through. */
  readonly circuit: {
    readonly state: 'closed' | 'open' | 'half-open';
    /** Failures of the operator in a row. */
    readonly failures: number;
    /** RFC 3339, UTC; null unless open. */
    readonly retryAt: string | null;
  };
}

export interface MenuHealth {
  /** `down` when every operator is, `ok` when all and the store are. */
  readonly status: HealthStatus;
  readonly operators: readonly OperatorHealth[];
  readonly store: 'ok' | 'down';
  /** How far the first fill or the present round of prefetching is. */
  readonly prefetch?: { readonly done: number; readonly total: number };
}

/** What was just read from an operator: one restaurant's day, or the list of restaurants. */
export type MenuReading =
  | {
      readonly kind: 'day';
      readonly vendor: Vendor;
      readonly restaurantId: string;
      /** `YYYY-MM-DD`, Asia/Seoul. */
      readonly date: string;
    }
  | { readonly kind: 'restaurants'; readonly vendor: Vendor };

/** Restaurants and menus of all operators, answered from the cache first; once closed, everything throws `closed`. */
export interface MenuService {
  /**
   * Restaurants that match every token of the query by name or location, best first; a blank query finds none.
   * @throws MenuError `invalid_argument`
   */
  search(query: string, options?: SearchOptions): Promise<RestaurantList>;
  /** Of every operator whose restaurants were ever read. */
  restaurants(): Promise<RestaurantList>;
  /** @throws MenuError `catalogue_unavailable` where this operator's restaurants have never been read */
  restaurant(vendor: Vendor, id: string): Promise<Restaurant | undefined>;
  /**
   * The day's periods, each with its own status: an operator's failure is a period's status, not an exception.
   * @param date `YYYY-MM-DD`, Asia/Seoul
   * @throws MenuError `restaurant_not_found`, `invalid_date`, `catalogue_unavailable`
   */
  dailyMenu(vendor: Vendor, id: string, date: string): Promise<DailyMenu>;
  /**
   * `days` consecutive days from `from` (1 to 14).
   * @default 7 days
   * @throws MenuError as dailyMenu, and `invalid_argument`
   */
  week(vendor: Vendor, id: string, from: string, days?: number): Promise<readonly DailyMenu[]>;
  /**
   * One menu of a day with the details that take a request of their own: nutrition per dish.
   * @throws MenuError `restaurant_not_found`, `menu_not_found`, and the operator's failure
   */
  menuDetail(vendor: Vendor, id: string, date: string, menuId: string): Promise<Menu>;
  /**
   * The kept days of all listed restaurants, without asking any operator, by vendor, restaurant id and date.
   * @param from first date, `YYYY-MM-DD`
   * @param days 1 to 14, 7 by default
   * @throws MenuError `invalid_date`, `invalid_argument`; `catalogue_unavailable` until every operator's restaurants were
   * read once, since its days would be missing unseen
   */
  knownDays(from: string, days?: number): AsyncIterable<DailyMenu>;
  /** Restaurants that were never read are asked for, without waiting: the next call knows more. */
  health(): Promise<MenuHealth>;
  /** Closes the operators and the store too. */
  [Symbol.asyncDispose](): Promise<void>;
}
