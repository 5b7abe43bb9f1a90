import { randomUUID } from 'node:crypto';
import { askableDates } from '../domain/askable-dates.ts';
import { addDays } from '../domain/calendar-date.ts';
import type { DailyMenu } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import { MenuError } from '../domain/menu-error.ts';
import type { Restaurant, Vendor } from '../domain/restaurant.ts';
import { type Clock, systemClock } from '../http/clock.ts';
import { RestaurantIndex } from '../search/restaurant-index.ts';
import { GuardedStore } from '../store/guarded-store.ts';
import type { LeaseHolder } from '../store/hold-lease.ts';
import { memoryMenuStore } from '../store/memory-menu-store.ts';
import { entryKey, type MenuStore, type StoredEntry } from '../store/menu-store.ts';
import { checkDate, checkInteger } from './check-options.ts';
import type { DishList, DishSearchOptions } from './contract/dish-list.ts';
import type { MenuHealth, MenuService, RestaurantList, SearchOptions } from './contract/menu-service.ts';
import type { UnreadOperator } from './contract/unread-operator.ts';
import type { WaitOptions } from './contract/wait-options.ts';
import { answerDishQuestion, readDishQuestion } from './dish/dish-question.ts';
import { DishSearch } from './dish/dish-search.ts';
import { toDailyMenu } from './entry/day-entry.ts';
import { EntryCache } from './entry/entry-cache.ts';
import { DEFAULT_FRESHNESS } from './entry/freshness.ts';
import type { MenuServiceOptions } from './menu-service-options.ts';
import { ON_ITS_WAY, OVERDUE } from './operator/day-cache.ts';
import { OperatorCache } from './operator/operator-cache.ts';
import { DEFAULT_CIRCUIT, OperatorGate } from './operator/operator-gate.ts';
import { InterestCounter } from './reading-ahead/interest-counter.ts';
import { DEFAULT_PREFETCH, Prefetcher } from './reading-ahead/prefetcher.ts';
import { type WaitLeft, waitLeft } from './wait-left.ts';

const KNOWN_DAYS_PAGE = 100;
const LAST_KNOWN_DAYS = 14;

/**
 * Makes a service that answers from its cache first and reads the operators when that is not enough. Close it when you
 * are done.
 * @throws MenuError `invalid_argument` without a list of operators, and for two operators of one vendor
 */
export function createMenuService(options: MenuServiceOptions): MenuService {
  if (!Array.isArray(Object(options).operators)) {
    throw new MenuError('invalid_argument', 'Pass options with operators, such as [planeatOperator()].');
  }
  return new CachedMenuService(options);
}

class CachedMenuService implements MenuService {
  readonly #store: MenuStore;
  readonly #guarded: GuardedStore;
  readonly #cache: EntryCache;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;
  readonly #operators: ReadonlyMap<Vendor, OperatorCache>;
  readonly #clock: Clock;
  readonly #dishes: DishSearch;
  readonly #interest: InterestCounter;
  readonly #prefetcher: Prefetcher | undefined;
  readonly #prefetching: Promise<void>;
  #index:
    | { readonly catalogues: readonly (readonly Restaurant[])[]; readonly index: Promise<RestaurantIndex> }
    | undefined;

  constructor(options: MenuServiceOptions) {
    const clock = options.clock ?? systemClock;
    this.#clock = clock;
    this.#store = options.store ?? memoryMenuStore();
    this.#guarded = new GuardedStore(this.#store);
    const lease: LeaseHolder = { store: this.#guarded, clock, holder: randomUUID() };
    const onBackgroundError = options.onBackgroundError ?? (() => {});
    const freshness = { ...DEFAULT_FRESHNESS, ...options.freshness };
    this.#cache = new EntryCache({
      lease,
      retryMs: freshness.retryMs,
      closing: this.#closing.signal,
      onBackgroundError,
      onRevision: ({ kind, vendor, restaurantId, date }) => {
        if (kind === 'day') {
          this.#dishes.note({ vendor, id: restaurantId }, date);
          options.onReading?.({ kind, vendor, restaurantId, date });
        }
        if (kind === 'catalogue') options.onReading?.({ kind: 'restaurants', vendor });
      },
    });
    this.#dishes = new DishSearch({
      clock,
      keptDays: (from, days) => this.#keptDays(from, days),
      keptDay: (restaurant, date) => this.#keptDay(restaurant, date),
      onBackgroundError: (error) => {
        if (!this.#closing.signal.aborted) onBackgroundError(error);
      },
    });
    const circuit = { ...DEFAULT_CIRCUIT, ...options.circuit };
    this.#operators = new Map(
      options.operators.map((operator) => [
        operator.vendor,
        new OperatorCache({
          gate: new OperatorGate(
            operator,
            lease,
            circuit,
            this.#closing.signal,
            (what, error) => options.onUnreadable?.(operator.vendor, what, error),
            (error) => options.onRefused?.(operator.vendor, error),
          ),
          cache: this.#cache,
          clock,
          freshness,
          deadlineMs: options.deadlineMs ?? 8000,
          onChange: options.onChange ?? (() => {}),
          onDroppedRows: options.onDroppedRows ?? (() => {}),
          onUnknownValue: options.onUnknownValue ?? (() => {}),
          admitReading: options.admitReading ?? (() => Promise.resolve()),
        }),
      ]),
    );
    if (this.#operators.size !== options.operators.length) {
      throw new MenuError('invalid_argument', 'Pass at most one operator per vendor.');
    }
    this.#interest = new InterestCounter(this.#guarded, clock, async (vendor) => {
      const restaurants = await this.#operators.get(vendor)?.catalogue.peek();
      return new Set(restaurants?.map(({ id }) => id));
    });
    const { prefetch = false } = options;
    this.#prefetcher =
      prefetch === false
        ? undefined
        : new Prefetcher({
            operators: [...this.#operators.values()],
            lease,
            freshness,
            flushInterest: () => this.#interest.flush(),
            closing: this.#closing.signal,
            ...DEFAULT_PREFETCH,
            ...(prefetch === true ? {} : prefetch),
            onBackgroundError,
          });
    this.#prefetching = this.#prefetcher?.run() ?? Promise.resolve();
  }

  async search(query: string, { limit = 20, waitMs }: SearchOptions = {}): Promise<RestaurantList> {
    this.#checkOpen();
    checkInteger('limit', limit, 1, 50);
    if (query.trim() === '') return { restaurants: [], incomplete: [] };
    const { index, incomplete } = await this.#searchIndex(waitMs);
    return { restaurants: index.search(query, limit), incomplete };
  }

  async restaurants(options: WaitOptions = {}): Promise<RestaurantList> {
    this.#checkOpen();
    const { index, incomplete } = await this.#searchIndex(options.waitMs);
    return { restaurants: index.restaurants, incomplete };
  }

  async restaurant(vendor: Vendor, id: string, options: WaitOptions = {}): Promise<Restaurant | undefined> {
    this.#checkOpen();
    const catalogue = await this.#operators.get(vendor)?.catalogue.restaurants(options.waitMs);
    return catalogue?.find((restaurant) => restaurant.id === id);
  }

  async dailyMenu(vendor: Vendor, id: string, date: string, options: WaitOptions = {}): Promise<DailyMenu> {
    this.#checkOpen();
    this.#checkDate(date);
    const left = waitLeft(this.#clock, options);
    const { operator, restaurant } = await this.#known(vendor, id, left);
    return this.#day(operator, restaurant, date, left);
  }

  async week(
    vendor: Vendor,
    id: string,
    from: string,
    days = 7,
    options: WaitOptions = {},
  ): Promise<readonly DailyMenu[]> {
    this.#checkOpen();
    this.#checkDate(from);
    checkInteger('days', days, 1, 14);
    const left = waitLeft(this.#clock, options);
    const { operator, restaurant } = await this.#known(vendor, id, left);
    const dates = Array.from({ length: days }, (_, day) => addDays(from, day));
    return Promise.all(dates.map((date) => this.#day(operator, restaurant, date, left)));
  }

  async keptDays(
    vendor: Vendor,
    id: string,
    from: string,
    days: number,
    options: WaitOptions = {},
  ): Promise<readonly DailyMenu[]> {
    this.#checkOpen();
    checkDate(from);
    checkInteger('days', days, 1, 42);
    const { restaurant } = await this.#known(vendor, id, waitLeft(this.#clock, options));
    const dates = Array.from({ length: days }, (_, day) => addDays(from, day));
    const kept = await Promise.all(dates.map((date) => this.#keptDay(restaurant, date)));
    return kept.filter((day) => day !== undefined);
  }

  async menuDetail(
    vendor: Vendor,
    id: string,
    date: string,
    menuId: string,
    options: WaitOptions = {},
  ): Promise<Menu> {
    this.#checkOpen();
    this.#checkDate(date);
    const left = waitLeft(this.#clock, options);
    const { operator, restaurant } = await this.#known(vendor, id, left);
    const day = await this.#day(operator, restaurant, date, left);
    const menu = day.periods.flatMap((period) => period.menus).find((candidate) => candidate.id === menuId);
    if (menu === undefined) throw new MenuError('menu_not_found', `${date} has no such menu.`);
    return menu.bundle === undefined ? operator.days.detail(id, date, menu, left()) : menu;
  }

  async searchDishes(query: string, options: DishSearchOptions = {}): Promise<DishList> {
    this.#checkOpen();
    checkInteger('limit', options.limit ?? 50, 1, 200);
    const question = readDishQuestion(query, options, this.#clock.nowMs());
    const { index, incomplete } = await this.#searchIndex(options.waitMs);
    return { ...(await answerDishQuestion(question, options, index, this.#dishes)), incomplete };
  }

  async lastKnownDay(
    vendor: Vendor,
    id: string,
    date: string,
    options: WaitOptions = {},
  ): Promise<DailyMenu | undefined> {
    this.#checkOpen();
    checkDate(date);
    const { restaurant } = await this.#known(vendor, id, waitLeft(this.#clock, options));
    for (let back = 1; back <= LAST_KNOWN_DAYS; back += 1) {
      const day = await this.#keptDay(restaurant, addDays(date, -back));
      if (day?.periods.some(({ menus }) => menus.length > 0) === true) return day;
    }
    return undefined;
  }

  async *knownDays(from: string, days = 7): AsyncGenerator<DailyMenu> {
    this.#checkOpen();
    checkDate(from);
    checkInteger('days', days, 1, 14);
    await Promise.all([...this.#operators.values()].map(({ catalogue }) => catalogue.restaurants()));
    yield* this.#keptDays(from, days);
  }

  /** The kept days of the operators whose restaurants are known. */
  async *#keptDays(from: string, days: number): AsyncGenerator<DailyMenu> {
    const catalogues = [...this.#operators.values()].map(({ catalogue }) => catalogue.known());
    const listed = new Map(
      (await Promise.all(catalogues))
        .flatMap((restaurants) => restaurants ?? [])
        .map((restaurant) => [`${restaurant.vendor} ${restaurant.id}`, restaurant]),
    );
    const range = { from, to: addDays(from, days - 1), limit: KNOWN_DAYS_PAGE };
    for (let page = await this.#guarded.readDays(range); page.length > 0; ) {
      for (const entry of page) {
        const restaurant = listed.get(`${entry.key.vendor} ${entry.key.restaurantId}`);
        const day = restaurant && this.#decode(restaurant, entry);
        if (day !== undefined) yield day;
      }
      const after = page.at(-1)?.key;
      page = after === undefined ? [] : await this.#guarded.readDays({ ...range, after });
      // A closed store returns no more days, which does not mean that there are none.
      this.#checkOpen();
    }
  }

  async #keptDay(restaurant: Restaurant, date: string): Promise<DailyMenu | undefined> {
    const entry = await this.#guarded.read(entryKey('day', restaurant.vendor, restaurant.id, date));
    return entry && this.#decode(restaurant, entry);
  }

  #decode(restaurant: Restaurant, entry: StoredEntry): DailyMenu | undefined {
    const day = this.#operators.get(restaurant.vendor)?.days.decode(entry);
    if (day?.value === undefined) return undefined;
    return toDailyMenu(restaurant, entry.key.date, day.value, day.overdue ? OVERDUE : undefined);
  }

  noteInterest(vendor: Vendor, id: string): void {
    this.#checkOpen();
    this.#interest.note(vendor, id);
  }

  async health(): Promise<MenuHealth> {
    this.#checkOpen();
    const operators = await Promise.all([...this.#operators.values()].map((operator) => operator.health()));
    const store = this.#guarded.status;
    const down = operators.length > 0 && operators.every((operator) => operator.status === 'down');
    const ok = store === 'ok' && operators.every((operator) => operator.status === 'ok');
    return {
      status: down ? 'down' : ok ? 'ok' : 'degraded',
      operators,
      store,
      ...(this.#prefetcher === undefined ? {} : { prefetch: this.#prefetcher.progress }),
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#operators.values()].map(({ gate }) => gate.operator.close()));
    await this.#prefetching;
    await this.#interest.flush();
    await this.#cache.settle();
    await this.#store.close();
  }

  async #known(
    vendor: Vendor,
    id: string,
    left: WaitLeft,
  ): Promise<{ readonly operator: OperatorCache; readonly restaurant: Restaurant }> {
    const operator = this.#operators.get(vendor);
    const catalogue = await operator?.catalogue.restaurants(left());
    const restaurant = catalogue?.find((each) => each.id === id);
    if (operator === undefined || restaurant === undefined) {
      throw new MenuError(
        'restaurant_not_found',
        `${vendor} has no restaurant with this id: search for it first.`,
      );
    }
    this.#interest.note(vendor, id);
    return { operator, restaurant };
  }

  async #day(
    operator: OperatorCache,
    restaurant: Restaurant,
    date: string,
    left: WaitLeft,
  ): Promise<DailyMenu> {
    const { value, overdue, pending } = await operator.days.day(restaurant.id, date, left());
    if (value !== undefined) {
      const old = pending ? ON_ITS_WAY : OVERDUE;
      return toDailyMenu(restaurant, date, value, overdue ? old : undefined);
    }
    // Neither read nor failed so far: on its way.
    const meals = await operator.days.knownMeals(restaurant.id, date);
    const periods = meals.map(({ code, label }) => ({ code, label, menus: [] }));
    return toDailyMenu(restaurant, date, { periods, attemptedAtMs: 0 });
  }

  /** @throws MenuError `invalid_date`, `date_out_of_range` */
  #checkDate(date: string): void {
    checkDate(date);
    const { from, to } = askableDates(this.#clock.nowMs());
    if (date >= from && date <= to) return;
    throw new MenuError(
      'date_out_of_range',
      `Operators have menus from ${from} to ${to}: send a date in between.`,
    );
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw new MenuError('closed', 'The service was closed.');
  }

  /** Covers the catalogues that are known: one operator's failure does not hide the other's restaurants. */
  async #searchIndex(
    waitMs?: number,
  ): Promise<{ index: RestaurantIndex; incomplete: readonly UnreadOperator[] }> {
    const operators = [...this.#operators.values()];
    const known = await Promise.all(operators.map(({ catalogue }) => catalogue.known(waitMs)));
    const catalogues = known.filter((catalogue) => catalogue !== undefined);
    const incomplete = operators.flatMap(({ catalogue }, at) =>
      known[at] === undefined ? [catalogue.unread] : [],
    );
    const index = await this.#indexOf(catalogues);
    return { index, incomplete };
  }

  #indexOf(catalogues: readonly (readonly Restaurant[])[]): Promise<RestaurantIndex> {
    const current = this.#index;
    const same =
      current?.catalogues.length === catalogues.length &&
      catalogues.every((catalogue, at) => catalogue === current.catalogues[at]);
    if (current !== undefined && same) return current.index;
    // Building one takes some 100 ms of work, and a new reading of the list is hardly ever different.
    const equal = current !== undefined && JSON.stringify(catalogues) === JSON.stringify(current.catalogues);
    const index = equal ? current.index : RestaurantIndex.build(catalogues.flat());
    this.#index = { catalogues, index };
    return index;
  }
}
