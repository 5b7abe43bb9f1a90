import { randomUUID } from 'node:crypto';
import { addDays, isCalendarDate } from '../domain/calendar-date.ts';
import type { DailyMenu } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import type { MenuChange } from '../domain/menu-change.ts';
import { MenuError } from '../domain/menu-error.ts';
import type { Restaurant, Vendor } from '../domain/restaurant.ts';
import { type Clock, systemClock } from '../http/clock.ts';
import type { Operator } from '../operator/operator.ts';
import { RestaurantIndex } from '../search/restaurant-index.ts';
import { GuardedStore } from '../store/guarded-store.ts';
import type { LeaseHolder } from '../store/hold-lease.ts';
import { memoryMenuStore } from '../store/memory-menu-store.ts';
import type { MenuStore } from '../store/menu-store.ts';
import { OVERDUE } from './day-cache.ts';
import { toDailyMenu } from './day-entry.ts';
import { EntryCache } from './entry-cache.ts';
import { DEFAULT_FRESHNESS, type Freshness } from './freshness.ts';
import type {
  MenuHealth,
  MenuReading,
  MenuService,
  ReadSubject,
  RestaurantList,
  SearchOptions,
  UnreadOperator,
} from './menu-service.ts';
import { OperatorCache } from './operator-cache.ts';
import { type CircuitOptions, DEFAULT_CIRCUIT, OperatorGate } from './operator-gate.ts';
import { DEFAULT_PREFETCH, Prefetcher, type PrefetchOptions } from './prefetcher.ts';

export interface MenuServiceOptions {
  /** At most one per vendor; closed with the service. */
  readonly operators: readonly Operator[];
  /** Closed with the service. @default a store in memory */
  readonly store?: MenuStore;
  readonly clock?: Clock;
  readonly freshness?: Partial<Freshness>;
  readonly circuit?: Partial<CircuitOptions>;
  /** How long one answer may wait for an operator. @default 8000 */
  readonly deadlineMs?: number;
  /** Keeps the coming days of every restaurant warm; `true` for the defaults. @default false */
  readonly prefetch?: boolean | Partial<PrefetchOptions>;
  /** Called for each menu that a new reading adds, changes or withdraws, by the process that kept the reading. */
  readonly onChange?: (change: MenuChange) => void;
  /**
   * Called when this process kept a new reading, or found one that another process kept: what was made of the earlier
   * one is out of date. A reading that another process kept is found when its time has come to be looked at again.
   */
  readonly onReading?: (reading: MenuReading) => void;
  /** Called with the number of rows of an answer that could not be read. */
  readonly onDroppedRows?: (vendor: Vendor, droppedRows: number) => void;
  /** Called when an operator answered and none of it could be read: it may have changed, and this program must follow. */
  readonly onUnreadable?: (vendor: Vendor, what: ReadSubject, error: MenuError) => void;
  /** Called with errors that no caller was waiting for, except failures of the operators. */
  readonly onBackgroundError?: (error: unknown) => void;
}

const KNOWN_DAYS_PAGE = 100;

/** @throws MenuError `invalid_argument` for two operators of one vendor */
export function createMenuService(options: MenuServiceOptions): MenuService {
  return new CachedMenuService(options);
}

class CachedMenuService implements MenuService {
  readonly #store: MenuStore;
  readonly #guarded: GuardedStore;
  readonly #cache: EntryCache;
  readonly #closing = new AbortController();
  readonly #operators: ReadonlyMap<Vendor, OperatorCache>;
  readonly #prefetcher: Prefetcher | undefined;
  readonly #prefetching: Promise<void>;
  #index:
    | { readonly catalogues: readonly (readonly Restaurant[])[]; readonly index: Promise<RestaurantIndex> }
    | undefined;

  constructor(options: MenuServiceOptions) {
    const clock = options.clock ?? systemClock;
    this.#store = options.store ?? memoryMenuStore();
    this.#guarded = new GuardedStore(this.#store);
    const lease: LeaseHolder = { store: this.#guarded, clock, holder: randomUUID() };
    const onBackgroundError = options.onBackgroundError ?? (() => {});
    this.#cache = new EntryCache({
      lease,
      closing: this.#closing.signal,
      onBackgroundError,
      onRevision: ({ kind, vendor, restaurantId, date }) => {
        if (kind === 'day') options.onReading?.({ kind, vendor, restaurantId, date });
        if (kind === 'catalogue') options.onReading?.({ kind: 'restaurants', vendor });
      },
    });
    const circuit = { ...DEFAULT_CIRCUIT, ...options.circuit };
    this.#operators = new Map(
      options.operators.map((operator) => [
        operator.vendor,
        new OperatorCache({
          gate: new OperatorGate(operator, lease, circuit, this.#closing.signal, (what, error) =>
            options.onUnreadable?.(operator.vendor, what, error),
          ),
          cache: this.#cache,
          clock,
          freshness: { ...DEFAULT_FRESHNESS, ...options.freshness },
          deadlineMs: options.deadlineMs ?? 8000,
          onChange: options.onChange ?? (() => {}),
          onDroppedRows: options.onDroppedRows ?? (() => {}),
        }),
      ]),
    );
    if (this.#operators.size !== options.operators.length) {
      throw new MenuError('invalid_argument', 'Pass at most one operator per vendor.');
    }
    const { prefetch = false } = options;
    this.#prefetcher =
      prefetch === false
        ? undefined
        : new Prefetcher({
            operators: [...this.#operators.values()],
            lease,
            closing: this.#closing.signal,
            ...DEFAULT_PREFETCH,
            ...(prefetch === true ? {} : prefetch),
            onBackgroundError,
          });
    this.#prefetching = this.#prefetcher?.run() ?? Promise.resolve();
  }

  async search(query: string, { limit = 20 }: SearchOptions = {}): Promise<RestaurantList> {
    this.#checkOpen();
    checkInteger('limit', limit, 1, 50);
    if (query.trim() === '') return { restaurants: [], incomplete: [] };
    const { index, incomplete } = await this.#searchIndex();
    return { restaurants: index.search(query, limit), incomplete };
  }

  async restaurants(): Promise<RestaurantList> {
    this.#checkOpen();
    const { index, incomplete } = await this.#searchIndex();
    return { restaurants: index.restaurants, incomplete };
  }

  async restaurant(vendor: Vendor, id: string): Promise<Restaurant | undefined> {
    this.#checkOpen();
    const catalogue = await this.#operators.get(vendor)?.catalogue.restaurants();
    return catalogue?.find((restaurant) => restaurant.id === id);
  }

  async dailyMenu(vendor: Vendor, id: string, date: string): Promise<DailyMenu> {
    this.#checkOpen();
    checkDate(date);
    const { operator, restaurant } = await this.#known(vendor, id);
    return this.#day(operator, restaurant, date);
  }

  async week(vendor: Vendor, id: string, from: string, days = 7): Promise<readonly DailyMenu[]> {
    this.#checkOpen();
    checkDate(from);
    checkInteger('days', days, 1, 14);
    const { operator, restaurant } = await this.#known(vendor, id);
    const dates = Array.from({ length: days }, (_, day) => addDays(from, day));
    return Promise.all(dates.map((date) => this.#day(operator, restaurant, date)));
  }

  async menuDetail(vendor: Vendor, id: string, date: string, menuId: string): Promise<Menu> {
    this.#checkOpen();
    checkDate(date);
    const { operator, restaurant } = await this.#known(vendor, id);
    const day = await this.#day(operator, restaurant, date);
    const menu = day.periods.flatMap((period) => period.menus).find((candidate) => candidate.id === menuId);
    if (menu === undefined) throw new MenuError('menu_not_found', `${date} has no such menu.`);
    return operator.days.detail(id, date, menu);
  }

  async *knownDays(from: string, days = 7): AsyncGenerator<DailyMenu> {
    this.#checkOpen();
    checkDate(from);
    checkInteger('days', days, 1, 14);
    const catalogues = [...this.#operators.values()].map(({ catalogue }) => catalogue.restaurants());
    const listed = new Map(
      (await Promise.all(catalogues))
        .flat()
        .map((restaurant) => [`${restaurant.vendor} ${restaurant.id}`, restaurant]),
    );
    const range = { from, to: addDays(from, days - 1), limit: KNOWN_DAYS_PAGE };
    for (let page = await this.#guarded.readDays(range); page.length > 0; ) {
      for (const entry of page) {
        const restaurant = listed.get(`${entry.key.vendor} ${entry.key.restaurantId}`);
        const day = this.#operators.get(entry.key.vendor)?.days.decode(entry);
        if (restaurant === undefined || day?.value === undefined) continue;
        yield toDailyMenu(restaurant, entry.key.date, day.value, day.overdue ? OVERDUE : undefined);
      }
      const after = page.at(-1)?.key;
      page = after === undefined ? [] : await this.#guarded.readDays({ ...range, after });
      // A closed store has no more days, which is not the end of them.
      this.#checkOpen();
    }
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#operators.values()].map(({ gate }) => gate.operator[Symbol.asyncDispose]()));
    await this.#prefetching;
    await this.#cache.settle();
    await this.#store[Symbol.asyncDispose]();
  }

  async #known(
    vendor: Vendor,
    id: string,
  ): Promise<{ readonly operator: OperatorCache; readonly restaurant: Restaurant }> {
    const operator = this.#operators.get(vendor);
    const restaurant = await this.restaurant(vendor, id);
    if (operator === undefined || restaurant === undefined) {
      throw new MenuError(
        'restaurant_not_found',
        `${vendor} has no restaurant with this id: search for it first.`,
      );
    }
    return { operator, restaurant };
  }

  async #day(operator: OperatorCache, restaurant: Restaurant, date: string): Promise<DailyMenu> {
    const { value, overdue } = await operator.days.day(restaurant.id, date);
    if (value !== undefined) return toDailyMenu(restaurant, date, value, overdue ? OVERDUE : undefined);
    const meals = await operator.days.knownMeals(restaurant.id);
    const periods = meals.map(({ code, label }) => ({ code, label, menus: [], error: OVERDUE }));
    return toDailyMenu(restaurant, date, { periods, attemptedAtMs: 0 });
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw new MenuError('closed', 'The service was closed.');
  }

  /** Over the catalogues that are known: one operator's failure does not hide the other's restaurants. */
  async #searchIndex(): Promise<{ index: RestaurantIndex; incomplete: readonly UnreadOperator[] }> {
    const operators = [...this.#operators.values()];
    const known = await Promise.all(operators.map(({ catalogue }) => catalogue.known()));
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
    // Building one takes some hundred milliseconds of work, and a new reading of the list is hardly ever different.
    const equal = current !== undefined && JSON.stringify(catalogues) === JSON.stringify(current.catalogues);
    const index = equal ? current.index : RestaurantIndex.build(catalogues.flat());
    this.#index = { catalogues, index };
    return index;
  }
}

function checkDate(date: string): void {
  if (isCalendarDate(date)) return;
  throw new MenuError('invalid_date', `${JSON.stringify(date.slice(0, 40))} is not a date: send YYYY-MM-DD.`);
}

function checkInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new MenuError('invalid_argument', `${name} must be an integer from ${min} to ${max}.`);
}
