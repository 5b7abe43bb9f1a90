import type { PeriodError } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import type { MenuChange } from '../domain/menu-change.ts';
import { MenuError, OperatorError } from '../domain/menu-error.ts';
import { orderMeals, USUAL_MEALS } from '../operator/meal-code.ts';
import type { Meal, MealReading } from '../operator/operator.ts';
import { type EntryKey, entryKey, type StoredEntry } from '../store/menu-store.ts';
import { type DayEntry, mergeDay } from './day-entry.ts';
import type { CacheAnswer, EntryKind, Load } from './entry-cache.ts';
import { type Dated, dayKind, detailKind, mealsKind } from './entry-kinds.ts';
import { type OperatorReader, type Priority, withLost } from './operator-reader.ts';

/** Why a day is shown older than it should be. */
export const OVERDUE: PeriodError = { code: 'deadline_exceeded', retryable: true };

/** One operator's days, meals and details, from the cache first. */
export class DayCache {
  readonly #reader: OperatorReader;
  readonly #onChange: (change: MenuChange) => void;

  constructor(reader: OperatorReader, onChange: (change: MenuChange) => void) {
    this.#reader = reader;
    this.#onChange = onChange;
  }

  day(restaurantId: string, date: string): Promise<CacheAnswer<DayEntry>> {
    const load = this.#load(restaurantId, date, 'foreground');
    return this.#reader.cache.get(
      this.#key(restaurantId, date),
      this.#kind(date),
      load,
      this.#reader.deadlineMs,
    );
  }

  /** Reads the day again unless it is fresh. */
  refresh(restaurantId: string, date: string): Promise<DayEntry> {
    const load = this.#load(restaurantId, date, 'background');
    return this.#reader.cache.refresh(this.#key(restaurantId, date), this.#kind(date), load, false);
  }

  isFresh(restaurantId: string, date: string): Promise<boolean> {
    return this.#reader.cache.isFresh(this.#key(restaurantId, date), this.#kind(date));
  }

  /** A kept entry; undefined for a body of another format. */
  decode(entry: StoredEntry): CacheAnswer<DayEntry> | undefined {
    const kind = this.#kind(entry.key.date);
    const value = kind.decode(entry.body);
    if (value === undefined) return undefined;
    return { value, overdue: kind.age(value).usableUntilMs <= this.#reader.clock.nowMs() };
  }

  /** The meals that a day is shown with before it was ever read. */
  async knownMeals(restaurantId: string): Promise<readonly Meal[]> {
    const { cache, vendor, freshness } = this.#reader;
    const kept = await cache.peek(entryKey('meals', vendor, restaurantId), mealsKind(freshness));
    return kept?.value ?? USUAL_MEALS;
  }

  /** @throws OperatorError `deadline_exceeded`, and why the operator could not be read */
  async detail(restaurantId: string, date: string, menu: Menu): Promise<Menu> {
    const { cache, vendor, freshness, deadlineMs } = this.#reader;
    const key = entryKey('detail', vendor, restaurantId, date, menu.id);
    const load: Load<Dated<Menu>> = async () => {
      const { value } = await this.#reader.read(
        'detail',
        async (operator, options) => ({
          value: await operator.menuDetail(restaurantId, date, menu, options),
          droppedRows: 0,
        }),
        'foreground',
      );
      return { value: this.#reader.dated(value) };
    };
    const { value } = await cache.get(key, detailKind(freshness), load, deadlineMs);
    if (value === undefined) throw new OperatorError(vendor, 'deadline_exceeded', 'No answer in time.');
    return value.value;
  }

  #key(restaurantId: string, date: string): EntryKey {
    return entryKey('day', this.#reader.vendor, restaurantId, date);
  }

  #kind(date: string): EntryKind<DayEntry> {
    return dayKind(date, this.#reader.freshness, () => this.#reader.clock.nowMs());
  }

  #load(restaurantId: string, date: string, priority: Priority): Load<DayEntry> {
    return async (before) => {
      const readings = await this.#read(restaurantId, date, before, priority);
      const { entry, changes } = mergeDay(before, readings, this.#reader.clock.nowMs());
      const { vendor } = this.#reader;
      return {
        value: entry,
        onKept: () => {
          for (const change of changes) this.#onChange({ ...change, vendor, restaurantId, date });
        },
      };
    };
  }

  /** A failure becomes a part of the day: each of its meals carries it. */
  async #read(
    restaurantId: string,
    date: string,
    before: DayEntry | undefined,
    priority: Priority,
  ): Promise<readonly MealReading[]> {
    let meals: readonly Meal[] = before?.periods ?? USUAL_MEALS;
    try {
      meals = await this.#meals(restaurantId, priority);
      const { value } = await this.#reader.read(
        'menus',
        (operator, options) => operator.day(restaurantId, date, meals, options),
        priority,
        failureOf,
      );
      return value;
    } catch (error) {
      if (!(error instanceof MenuError) || this.#reader.gate.closed) throw error;
      return meals.map(({ code, label }) => ({ code, label, error }));
    }
  }

  async #meals(restaurantId: string, priority: Priority): Promise<readonly Meal[]> {
    const { cache, vendor, freshness } = this.#reader;
    const load: Load<Dated<readonly Meal[]>> = async (before) => {
      const reading = await this.#reader.read(
        'meals',
        (operator, options) => operator.meals(restaurantId, options),
        priority,
      );
      const meals = orderMeals(withLost(reading, before?.value, (meal) => meal.code));
      return { value: this.#reader.dated(meals, reading.droppedRows > 0) };
    };
    // The caller's own deadline holds: here the operator's timeouts and attempts are the limit.
    const forever = Number.POSITIVE_INFINITY;
    const key = entryKey('meals', vendor, restaurantId);
    const { value } = await cache.get(key, mealsKind(freshness), load, forever);
    return value?.value ?? USUAL_MEALS;
  }
}

/** A day counts as failed where none of its meals could be read. */
function failureOf(readings: readonly MealReading[]): MenuError | undefined {
  const errors = readings.flatMap((reading) => ('error' in reading ? [reading.error] : []));
  return errors.length === readings.length ? errors[0] : undefined;
}
