import type { PeriodError } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import type { MenuChange } from '../domain/menu-change.ts';
import type { Restaurant, Vendor } from '../domain/restaurant.ts';
import { MenuError, OperatorError } from '../error/menu-error.ts';
import type { Clock } from '../http/clock.ts';
import { orderMeals, USUAL_MEALS } from '../operator/meal-code.ts';
import type { Meal, MealReading, ReadOptions } from '../operator/operator.ts';
import { entryKey, type StoredEntry } from '../store/menu-store.ts';
import { type DayEntry, mergeDay } from './day-entry.ts';
import type { CacheAnswer, EntryCache, Load, Loaded } from './entry-cache.ts';
import { catalogueKind, type Dated, dayKind, detailKind, mealsKind, successKind } from './entry-kinds.ts';
import type { Freshness } from './freshness.ts';
import type { OperatorGate } from './operator-gate.ts';

export interface OperatorCacheOptions {
  readonly gate: OperatorGate;
  readonly cache: EntryCache;
  readonly clock: Clock;
  readonly freshness: Freshness;
  /** How long one answer may wait for the operator. */
  readonly deadlineMs: number;
  readonly onChange: (change: MenuChange) => void;
  readonly onDroppedRows: (vendor: Vendor, droppedRows: number) => void;
}

type Priority = ReadOptions['priority'];

/** Rather than a shrunken catalogue, the earlier one is kept: an answer with less than half of it is a fault. */
const MIN_CATALOGUE_SHARE = 0.5;
const NOTE_SUCCESS_EVERY_MS = 60_000;

/** One operator's data, from the cache first. */
export class OperatorCache {
  readonly vendor: Vendor;
  readonly gate: OperatorGate;
  readonly #options: OperatorCacheOptions;
  #notedSuccessAtMs = 0;
  #catalogueRetryAtMs = 0;
  #catalogueFailure: MenuError | undefined;

  constructor(options: OperatorCacheOptions) {
    this.vendor = options.gate.operator.vendor;
    this.gate = options.gate;
    this.#options = options;
  }

  /** @throws MenuError `catalogue_unavailable` where it has never been read */
  async restaurants(): Promise<readonly Restaurant[]> {
    const { cache, clock, freshness, deadlineMs } = this.#options;
    const kind = catalogueKind(freshness);
    if (clock.nowMs() < this.#catalogueRetryAtMs) {
      const kept = await cache.peek(this.#catalogueKey, kind);
      if (kept !== undefined) return kept.value;
      throw this.#unavailable();
    }
    const { value, overdue } = await this.#readCatalogue(kind, deadlineMs);
    // Nobody waits again for what has just failed, or is still on its way.
    if (overdue) this.#catalogueRetryAtMs = clock.nowMs() + freshness.retryMs;
    if (value !== undefined) return value.value;
    throw this.#unavailable();
  }

  async #readCatalogue(
    kind: ReturnType<typeof catalogueKind>,
    deadlineMs: number,
  ): Promise<CacheAnswer<Dated<readonly Restaurant[]>>> {
    try {
      return await this.#options.cache.get(this.#catalogueKey, kind, this.#loadCatalogue(), deadlineMs);
    } catch (error) {
      if (!(error instanceof MenuError) || error.code === 'closed') throw error;
      this.#catalogueFailure = error;
      return { value: undefined, overdue: true };
    }
  }

  /** Reads the catalogue again unless it is fresh. */
  async refreshRestaurants(): Promise<readonly Restaurant[]> {
    const kind = catalogueKind(this.#options.freshness);
    return (await this.#options.cache.refresh(this.#catalogueKey, kind, this.#loadCatalogue('background')))
      .value;
  }

  day(restaurantId: string, date: string): Promise<CacheAnswer<DayEntry>> {
    return this.#options.cache.get(
      entryKey('day', this.vendor, restaurantId, date),
      this.#dayKind(date),
      this.#loadDay(restaurantId, date, 'foreground'),
      this.#options.deadlineMs,
    );
  }

  /** Reads the day again unless it is fresh. */
  refreshDay(restaurantId: string, date: string): Promise<DayEntry> {
    return this.#options.cache.refresh(
      entryKey('day', this.vendor, restaurantId, date),
      this.#dayKind(date),
      this.#loadDay(restaurantId, date, 'background'),
      false,
    );
  }

  hasFreshDay(restaurantId: string, date: string): Promise<boolean> {
    const key = entryKey('day', this.vendor, restaurantId, date);
    return this.#options.cache.isFresh(key, this.#dayKind(date));
  }

  /** The entry as a day of the feed; undefined for a body of another format. */
  decodeDay(entry: StoredEntry): { readonly value: DayEntry; readonly overdue: boolean } | undefined {
    const kind = this.#dayKind(entry.key.date);
    const value = kind.decode(entry.body);
    if (value === undefined) return undefined;
    return { value, overdue: kind.age(value).usableUntilMs <= this.#options.clock.nowMs() };
  }

  /** The meals that a day is shown with before it was ever read. */
  async knownMeals(restaurantId: string): Promise<readonly Meal[]> {
    const { cache, freshness } = this.#options;
    const kept = await cache.peek(entryKey('meals', this.vendor, restaurantId), mealsKind(freshness));
    return kept?.value ?? USUAL_MEALS;
  }

  async detail(restaurantId: string, date: string, menu: Menu): Promise<Menu> {
    const { cache, freshness, deadlineMs } = this.#options;
    const { value } = await cache.get(
      entryKey('detail', this.vendor, restaurantId, date, menu.id),
      detailKind(freshness),
      async () => {
        const detailed = await this.gate.read((operator, options) =>
          operator.menuDetail(restaurantId, date, menu, options),
        );
        return this.#dated(detailed);
      },
      deadlineMs,
    );
    if (value === undefined) throw new OperatorError(this.vendor, 'deadline_exceeded', 'No answer in time.');
    return value.value;
  }

  /** The last success that any process kept, milliseconds since the epoch. */
  async lastSuccessAtMs(): Promise<number | undefined> {
    return (await this.#options.cache.peek(entryKey('operator', this.vendor), successKind))?.fetchedAtMs;
  }

  /** Keeps the time of the last success for the other processes and the next start, now and then. */
  async #noteSuccess(): Promise<void> {
    const lastMs = this.gate.lastSuccessAtMs;
    if (lastMs === undefined || lastMs - this.#notedSuccessAtMs < NOTE_SUCCESS_EVERY_MS) return;
    this.#notedSuccessAtMs = lastMs;
    const key = entryKey('operator', this.vendor);
    await this.#options.cache.put(key, successKind, { value: null, fetchedAtMs: lastMs });
  }

  get #catalogueKey() {
    return entryKey('catalogue', this.vendor);
  }

  #dayKind(date: string) {
    return dayKind(date, this.#options.freshness, () => this.#options.clock.nowMs());
  }

  #loadCatalogue(priority: Priority = 'foreground'): Load<Dated<readonly Restaurant[]>> {
    return async (before) => {
      const { value, droppedRows } = await this.gate.read(
        (operator, options) => operator.restaurants(options),
        priority,
      );
      this.#dropped(droppedRows);
      const shrunken = value.length < (before?.value.length ?? 0) * MIN_CATALOGUE_SHARE;
      if (value.length === 0 || shrunken) {
        throw new OperatorError(
          this.vendor,
          'operator_answer_invalid',
          `The answer has ${value.length} restaurants where ${before?.value.length ?? 'some'} were known.`,
        );
      }
      await this.#noteSuccess();
      this.#catalogueFailure = undefined;
      const restaurants = droppedRows === 0 ? value : withLost(value, before?.value ?? [], droppedRows, idOf);
      return this.#dated(restaurants, droppedRows > 0);
    };
  }

  async #meals(restaurantId: string, priority: Priority): Promise<readonly Meal[]> {
    const { cache, freshness } = this.#options;
    const key = entryKey('meals', this.vendor, restaurantId);
    const kind = mealsKind(freshness);
    const load: Load<Dated<readonly Meal[]>> = async (before) => {
      const { value, droppedRows } = await this.gate.read(
        (operator, options) => operator.meals(restaurantId, options),
        priority,
      );
      this.#dropped(droppedRows);
      const meals = droppedRows === 0 ? value : withLost(value, before?.value ?? [], droppedRows, codeOf);
      return this.#dated(orderMeals(meals), droppedRows > 0);
    };
    // The caller's own deadline holds: here the operator's timeouts and attempts are the limit.
    const { value } = await cache.get(key, kind, load, Number.POSITIVE_INFINITY);
    return value?.value ?? USUAL_MEALS;
  }

  #loadDay(restaurantId: string, date: string, priority: Priority): Load<DayEntry> {
    return async (before) => {
      const readings = await this.#readDay(restaurantId, date, before, priority);
      const { entry, changes } = mergeDay(before, readings, this.#options.clock.nowMs());
      return {
        value: entry,
        onKept: () => {
          for (const change of changes) {
            this.#options.onChange({ ...change, vendor: this.vendor, restaurantId, date });
          }
        },
      };
    };
  }

  async #readDay(
    restaurantId: string,
    date: string,
    before: DayEntry | undefined,
    priority: Priority,
  ): Promise<readonly MealReading[]> {
    let meals: readonly Meal[] = before?.periods ?? USUAL_MEALS;
    try {
      meals = await this.#meals(restaurantId, priority);
      const { value, droppedRows } = await this.gate.read(
        (operator, options) => operator.day(restaurantId, date, meals, options),
        priority,
        (reading) => failureOf(reading.value),
      );
      this.#dropped(droppedRows);
      await this.#noteSuccess();
      return value;
    } catch (error) {
      if (!(error instanceof MenuError) || this.gate.closed) throw error;
      return meals.map(({ code, label }) => ({ code, label, error }));
    }
  }

  #dated<T>(value: T, incomplete = false): Loaded<Dated<T>> {
    const fetchedAtMs = this.#options.clock.nowMs();
    return { value: { value, fetchedAtMs, ...(incomplete ? { incomplete } : {}) } };
  }

  #dropped(droppedRows: number): void {
    if (droppedRows > 0) this.#options.onDroppedRows(this.vendor, droppedRows);
  }

  #unavailable(): OperatorError {
    const cause = this.#catalogueFailure;
    return new OperatorError(this.vendor, 'catalogue_unavailable', 'The restaurants could not be read yet.', {
      ...(cause === undefined ? {} : { cause }),
      retryAfterMs: Math.max(0, this.#catalogueRetryAtMs - this.#options.clock.nowMs()),
    });
  }
}

const idOf = (restaurant: Restaurant) => restaurant.id;
const codeOf = (meal: Meal) => meal.code;

/** What was read, and what was known before and may be among the rows that were dropped. */
function withLost<T>(
  read: readonly T[],
  before: readonly T[],
  droppedRows: number,
  keyOf: (item: T) => string,
): readonly T[] {
  const keys = new Set(read.map(keyOf));
  const lost = before.filter((item) => !keys.has(keyOf(item)));
  return lost.length <= droppedRows ? [...read, ...lost] : read;
}

/** A day counts as failed where none of its meals could be read. */
function failureOf(readings: readonly MealReading[]): MenuError | undefined {
  const errors = readings.flatMap((reading) => ('error' in reading ? [reading.error] : []));
  return errors.length === readings.length ? errors[0] : undefined;
}

/** Why a day is shown older than it should be. */
export const OVERDUE: PeriodError = { code: 'deadline_exceeded', retryable: true };
