import type { DailyMenu } from '../../domain/daily-menu.ts';
import type { Menu } from '../../domain/menu.ts';
import type { MenuErrorCode } from '../../domain/menu-error.ts';
import type { Restaurant, Vendor } from '../../domain/restaurant.ts';
import type { DishList, DishSearchOptions } from './dish-list.ts';
import type { UnreadOperator } from './unread-operator.ts';
import type { WaitOptions } from './wait-options.ts';

/** Options of `MenuService.search`. */
export interface SearchOptions extends WaitOptions {
  /** 1 to 50. @default 20 */
  readonly limit?: number;
}

/** Restaurants of all operators but the `incomplete` ones. */
export interface RestaurantList {
  /** Best first in a search; at most `limit`. */
  readonly restaurants: readonly Restaurant[];
  /** Empty when every operator was searched: only then does a list without restaurants mean that there are none. */
  readonly incomplete: readonly UnreadOperator[];
}

/** What is read from an operator. */
export type ReadSubject = 'restaurants' | 'meals' | 'menus' | 'items' | 'detail';

/**
 * - `ok`: the last reads succeeded
 * - `degraded`: reads fail; the cache answers questions, and the answers say what is missing
 * - `down`: questions cannot be answered, since not even the restaurants are known
 */
export type HealthStatus = 'ok' | 'degraded' | 'down';

/** Whether one operator can be read. */
export interface OperatorHealth {
  /** The operator. */
  readonly vendor: Vendor;
  /** What its state means for questions about it. */
  readonly status: HealthStatus;
  /** RFC 3339, UTC; null until the first success. */
  readonly lastSuccessAt: string | null;
  /**
   * What could not be read when this process last tried, a single meal included, or has had no answer for longer than
   * one request may take.
   */
  readonly retrying: readonly {
    readonly what: ReadSubject;
    readonly reason: MenuErrorCode;
    /** The first failure since it last worked, or when it was first asked for without an answer (RFC 3339, UTC). */
    readonly since: string;
  }[];
  /** What does not mend itself; null if nothing is. The same in every process that shares the store. */
  readonly needsPerson: {
    /** The operator refuses the account: renew its password, or log in with it in the operator's own app. */
    readonly reason: 'login_refused';
    /** The first refusal since the last login that worked (RFC 3339, UTC). */
    readonly since: string;
    /** No login is tried before (RFC 3339, UTC); with another name or password it is tried at once. */
    readonly nextTryAt: string;
  } | null;
  /** In this process: `open` lets no read through until `retryAt`, `half-open` lets one through. */
  readonly circuit: {
    readonly state: 'closed' | 'open' | 'half-open';
    /** Failures of the operator in a row. */
    readonly failures: number;
    /** RFC 3339, UTC; null unless open. */
    readonly retryAt: string | null;
  };
}

/** Whether a service can answer, and what it can read. */
export interface MenuHealth {
  /** `down` when every operator is, `ok` when all and the store are. */
  readonly status: HealthStatus;
  /** One for each operator of the service. */
  readonly operators: readonly OperatorHealth[];
  /** Whether the cache's store can be read and written. */
  readonly store: 'ok' | 'down';
  /** How many restaurant-days are as fresh as reading ahead wants them, and how many it keeps fresh in all. */
  readonly prefetch?: { readonly done: number; readonly total: number };
}

/** What was just read from an operator: one restaurant's day, or the list of restaurants. */
export type MenuReading =
  | {
      readonly kind: 'day';
      /** The operator. */
      readonly vendor: Vendor;
      /** `Restaurant.id`. */
      readonly restaurantId: string;
      /** `YYYY-MM-DD`, Asia/Seoul. */
      readonly date: string;
    }
  | { readonly kind: 'restaurants'; readonly vendor: Vendor };

/** Restaurants and menus of all operators, answered from the cache first; once closed, everything throws `closed`. */
export interface MenuService {
  /**
   * Restaurants that match every word of the query by name or location, best first; a blank query finds none. Where none
   * has every word, those that say nothing (`구내식당`, `menu`, a day, a meal) are left out.
   * @throws MenuError `invalid_argument`
   */
  search(query: string, options?: SearchOptions): Promise<RestaurantList>;
  /**
   * Where and when a dish is served, today and the 6 days after it, from what is kept, without asking any operator. A menu
   * matches if every word of the query is in its name or in those of its dishes, in either language; a day and a meal may
   * be named among the words, as `parseAsked` reads them (`돈까스 내일점심`, `11/28`). A query without words finds nothing.
   * @throws MenuError `invalid_date` for another day, `invalid_argument`
   */
  searchDishes(query: string, options?: DishSearchOptions): Promise<DishList>;
  /** The restaurants of every operator whose restaurants were ever read. */
  restaurants(options?: WaitOptions): Promise<RestaurantList>;
  /**
   * One restaurant; undefined if the operator has none with this id.
   * @throws MenuError `catalogue_unavailable` if this operator's restaurants have never been read
   */
  restaurant(vendor: Vendor, id: string, options?: WaitOptions): Promise<Restaurant | undefined>;
  /**
   * The day's periods, each with its own status: an operator's failure is a period's status, not an exception, and so is
   * that the answer has not come in time (`loading`, or `stale` with the error `not_read_yet`).
   * @param date `YYYY-MM-DD`, Asia/Seoul
   * @throws MenuError `restaurant_not_found`, `invalid_date`, `catalogue_unavailable`; `date_out_of_range` for more than 60
   * days back or 30 ahead; what `admitReading` throws
   */
  dailyMenu(vendor: Vendor, id: string, date: string, options?: WaitOptions): Promise<DailyMenu>;
  /**
   * `days` consecutive days (1 to 14) from `from`; only `from` has to be in the range of `dailyMenu`.
   * @default 7 days
   * @throws MenuError like dailyMenu, and `invalid_argument`
   */
  week(
    vendor: Vendor,
    id: string,
    from: string,
    days?: number,
    options?: WaitOptions,
  ): Promise<readonly DailyMenu[]>;
  /**
   * One menu of a day with the details that take a request of their own: nutrition per dish. A bundle stays as in the day.
   * @throws MenuError `restaurant_not_found`, `menu_not_found`, and the operator's failure
   */
  menuDetail(vendor: Vendor, id: string, date: string, menuId: string, options?: WaitOptions): Promise<Menu>;
  /**
   * The latest kept day before `date` that has menus, at most 14 days back, without asking the operator: for showing
   * something when a day cannot be read. Its meals say when they were read.
   * @throws MenuError like dailyMenu
   */
  lastKnownDay(
    vendor: Vendor,
    id: string,
    date: string,
    options?: WaitOptions,
  ): Promise<DailyMenu | undefined>;
  /**
   * The kept days of one restaurant, in order, without asking its operator; a day that was never read is absent.
   * @param from first date, `YYYY-MM-DD`
   * @param days 1 to 42
   * @throws MenuError `restaurant_not_found`, `invalid_date`, `invalid_argument`, `catalogue_unavailable`
   */
  keptDays(
    vendor: Vendor,
    id: string,
    from: string,
    days: number,
    options?: WaitOptions,
  ): Promise<readonly DailyMenu[]>;
  /**
   * The kept days of all listed restaurants, without asking any operator, by vendor, restaurant id and date.
   * @param from first date, `YYYY-MM-DD`
   * @param days 1 to 14, 7 by default
   * @throws MenuError `invalid_date`, `invalid_argument`; `catalogue_unavailable` until every operator's restaurants were
   * read once, since its days would be missing without notice
   */
  knownDays(from: string, days?: number): AsyncIterable<DailyMenu>;
  /**
   * Says that somebody wants this restaurant, such as a visitor who has it among theirs; asking for its menus counts too.
   * Only how often each restaurant was wanted on a day is kept, never by whom. What is wanted is read ahead more often.
   */
  noteInterest(vendor: Vendor, id: string): void;
  /** The service's health. Starts reading restaurants that were never read, without waiting: the next call knows more. */
  health(): Promise<MenuHealth>;
  /** Closes the operators and the store too; a second call waits for the first. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
