import type { DailyMenu } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import type { Restaurant, Vendor } from '../domain/restaurant.ts';

export interface SearchOptions {
  /** 1 to 50. @default 20 */
  readonly limit?: number;
}

export interface OperatorHealth {
  readonly vendor: Vendor;
  readonly status: 'ok' | 'degraded' | 'down';
  /** RFC 3339, UTC; null until the first success. */
  readonly lastSuccessAt: string | null;
}

export interface MenuHealth {
  readonly status: 'ok' | 'degraded' | 'down';
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

/** Restaurants and menus of all operators, answered from the cache first. */
export interface MenuService {
  /**
   * Restaurants that match every token of the query by name or location, best first; a blank query finds none.
   * @throws MenuError `invalid_argument`; `catalogue_unavailable` where no operator's restaurants are known
   */
  search(query: string, options?: SearchOptions): Promise<readonly Restaurant[]>;
  /** Of every operator that could be read. @throws MenuError `catalogue_unavailable` where none could */
  restaurants(): Promise<readonly Restaurant[]>;
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
   * @throws MenuError `invalid_date`, `invalid_argument`, `catalogue_unavailable`
   */
  knownDays(from: string, days?: number): AsyncIterable<DailyMenu>;
  health(): Promise<MenuHealth>;
  /** Closes the operators and the store too. */
  [Symbol.asyncDispose](): Promise<void>;
}
