import type { MealPeriod } from '../../domain/daily-menu.ts';
import type { Menu } from '../../domain/menu.ts';
import type { MenuChange } from '../../domain/menu-change.ts';
import { MenuError, type MenuErrorCode, OperatorError } from '../../domain/menu-error.ts';
import type { PeriodError } from '../../domain/period-status.ts';
import { mealsFromNow } from '../../domain/present-meal.ts';
import { compareMealCodes, orderMeals, USUAL_MEALS } from '../../operator/meal-code.ts';
import type { Meal, MealReading } from '../../operator/operator.ts';
import { type EntryKey, entryKey, type StoredEntry } from '../../store/menu-store.ts';
import type { BundleReading } from '../entry/bundle-entry.ts';
import {
  type DayEntry,
  hasUnaskedItems,
  mergeDay,
  mergeItems,
  type PeriodChange,
} from '../entry/day-entry.ts';
import type { CacheAnswer, Load } from '../entry/entry-cache.ts';
import { type Dated, datedKind, dayKinds, mealsKind } from '../entry/entry-kinds.ts';
import { dayAge, dueBundles } from '../entry/freshness.ts';
import type { ReadOutcome } from './operator-gate.ts';
import { type OperatorReader, type Priority, withLost } from './operator-reader.ts';

/** Why a day is shown older than it should be: nothing newer could be read, or it is being read. */
export const OVERDUE: PeriodError = { code: 'deadline_exceeded', retryable: true };
export const ON_ITS_WAY: PeriodError = { code: 'not_read_yet', retryable: true };

/** Failures that say nothing about the next bundle. */
const OF_ONE_BUNDLE: ReadonlySet<MenuErrorCode> = new Set<MenuErrorCode>([
  'operator_answer_empty',
  'operator_answer_invalid',
  'operator_answer_too_large',
  'operator_refused',
]);

interface MealsUnderWay {
  readonly meals: readonly Meal[];
  readonly readings: readonly MealReading[];
}

/** One operator's days, meals and details, from the cache first. */
export class DayCache {
  readonly #reader: OperatorReader;
  readonly #onChange: (change: MenuChange) => void;
  /** Days that are being read for the first time, with the meals that have come so far. */
  readonly #underWay = new Map<string, MealsUnderWay>();

  constructor(reader: OperatorReader, onChange: (change: MenuChange) => void) {
    this.#reader = reader;
    this.#onChange = onChange;
  }

  /**
   * The day, with those items of its bundles that come in time: the menus are read and kept first.
   * @param waitMs how long to wait for what is not kept
   */
  async day(
    restaurantId: string,
    date: string,
    waitMs = this.#reader.deadlineMs,
  ): Promise<CacheAnswer<DayEntry>> {
    const { cache, clock, admitReading } = this.#reader;
    const untilMs = clock.nowMs() + waitMs;
    const key = this.#key(restaurantId, date);
    const { menus, whole } = dayKinds(date, this.#reader, true);
    const load = this.#load(restaurantId, date, 'foreground');
    const answer = await cache.get(key, menus, load, waitMs, admitReading);
    let { value } = answer;
    if (value === undefined) {
      const soFar = this.#soFar(restaurantId, date);
      return soFar === undefined ? answer : { value: soFar, overdue: false, pending: true };
    }
    if (answer.overdue) return answer;
    // Twice: the first load may be one that is already under way and reads only the menus.
    for (let loads = 0; loads < 2 && hasUnaskedItems(value); loads += 1) {
      const leftMs = Math.max(0, untilMs - clock.nowMs());
      ({ value = value } = await cache.get(key, whole, load, leftMs, admitReading));
    }
    return { value, overdue: false, pending: hasUnaskedItems(value) };
  }

  /** Reads the day again unless it is fresh. */
  async refresh(restaurantId: string, date: string): Promise<DayEntry> {
    const { cache } = this.#reader;
    const key = this.#key(restaurantId, date);
    const { menus, whole } = dayKinds(date, this.#reader, false);
    const load = this.#load(restaurantId, date, 'background');
    const day = await cache.refresh(key, menus, load, false);
    return hasUnaskedItems(day) ? cache.refresh(key, whole, load, false) : day;
  }

  /** A kept entry; undefined for a body of another format. */
  decode(entry: StoredEntry): CacheAnswer<DayEntry> | undefined {
    const kind = dayKinds(entry.key.date, this.#reader, false).menus;
    const value = kind.decode(entry.body);
    if (value === undefined) return undefined;
    return { value, overdue: kind.age(value).usableUntilMs <= this.#reader.clock.nowMs(), pending: false };
  }

  /** The meals shown for a day that has never been read. */
  async knownMeals(restaurantId: string, date: string): Promise<readonly Meal[]> {
    const { cache, vendor } = this.#reader;
    const kept = await cache.peek(entryKey('meals', vendor, restaurantId), mealsKind(date, this.#reader));
    return kept?.value ?? USUAL_MEALS;
  }

  /** @throws OperatorError `deadline_exceeded`, and why the operator could not be read */
  async detail(
    restaurantId: string,
    date: string,
    menu: Menu,
    waitMs = this.#reader.deadlineMs,
  ): Promise<Menu> {
    const { cache, vendor, freshness, admitReading } = this.#reader;
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
    const { value } = await cache.get(
      key,
      datedKind<Menu>(freshness.todayMs, this.#reader),
      load,
      waitMs,
      admitReading,
    );
    if (value === undefined) throw new OperatorError(vendor, 'deadline_exceeded', 'No answer in time.');
    return value.value;
  }

  #key(restaurantId: string, date: string): EntryKey {
    return entryKey('day', this.#reader.vendor, restaurantId, date);
  }

  #load(restaurantId: string, date: string, priority: Priority): Load<DayEntry> {
    const { vendor, clock } = this.#reader;
    const kept = (entry: DayEntry, changes: readonly PeriodChange[]) => ({
      value: entry,
      onKept: () => {
        for (const change of changes) this.#onChange({ ...change, vendor, restaurantId, date });
      },
    });
    return async (before) => {
      let [day, changes]: [DayEntry | undefined, readonly PeriodChange[]] = [before, []];
      if (day === undefined || !this.#hasNewMenus(day, date)) {
        const readings = await this.#read(restaurantId, date, before, priority);
        ({ entry: day, changes } = mergeDay(date, before, readings, clock.nowMs()));
        // Kept at once: the items take a request for each bundle, which the next load makes.
        if (hasUnaskedItems(day)) return kept(day, changes);
      }
      const items = await this.#readItems(restaurantId, date, day, priority);
      const merged = mergeItems(day, items, clock.nowMs());
      return kept(merged.entry, [...changes, ...merged.changes]);
    };
  }

  /** True if only items have to be asked for. */
  #hasNewMenus(day: DayEntry, date: string): boolean {
    const { freshness, clock } = this.#reader;
    const nowMs = clock.nowMs();
    const justRead = hasUnaskedItems(day) && nowMs < day.attemptedAtMs + freshness.retryMs;
    return justRead || nowMs < dayAge(day, date, nowMs, freshness).freshUntilMs;
  }

  /** Reads one bundle after the other; once the operator itself fails, it does not ask for the rest. */
  async #readItems(
    restaurantId: string,
    date: string,
    day: DayEntry,
    priority: Priority,
  ): Promise<ReadonlyMap<string, BundleReading>> {
    const { clock, freshness, gate } = this.#reader;
    const readings = new Map<string, BundleReading>();
    let outage: MenuError | undefined;
    for (const menu of dueBundles(day, date, clock.nowMs(), freshness)) {
      if (outage !== undefined) {
        readings.set(menu.id, { error: outage });
        continue;
      }
      try {
        const reading = await this.#reader.read(
          'items',
          (operator, options) => operator.bundleItems(restaurantId, date, menu, options),
          priority,
        );
        readings.set(menu.id, reading);
      } catch (error) {
        if (!(error instanceof MenuError) || gate.closed) throw error;
        readings.set(menu.id, { error });
        if (!OF_ONE_BUNDLE.has(error.code)) outage = error;
      }
    }
    return readings;
  }

  /** What is known of a day whose first reading is not over; undefined until a meal has come. */
  #soFar(restaurantId: string, date: string): DayEntry | undefined {
    const under = this.#underWay.get(`${restaurantId} ${date}`);
    if (under === undefined || under.readings.length === 0) return undefined;
    const { entry } = mergeDay(date, undefined, under.readings, this.#reader.clock.nowMs());
    const periods = under.meals.map(
      ({ code, label }) => entry.periods.find((read) => read.code === code) ?? { code, label, menus: [] },
    );
    return { ...entry, periods: periods.sort((a, b) => compareMealCodes(a.code, b.code)) };
  }

  /** Reads the day's menus. A failure becomes part of the day: each of its meals carries it. */
  async #read(
    restaurantId: string,
    date: string,
    before: DayEntry | undefined,
    priority: Priority,
  ): Promise<readonly MealReading[]> {
    let meals: readonly Meal[] = before?.periods ?? USUAL_MEALS;
    const place = `${restaurantId} ${date}`;
    try {
      meals = fromNow(await this.#meals(restaurantId, date, priority), date, this.#reader.clock.nowMs());
      const { value } = await this.#reader.read(
        'menus',
        (operator, options) => {
          const readings: MealReading[] = [];
          this.#underWay.set(place, { meals, readings });
          return operator.day(restaurantId, date, meals, {
            ...options,
            onMeal: (reading) => void readings.push(reading),
          });
        },
        priority,
        (readings) => outcomeOf(place, readings),
      );
      return value;
    } catch (error) {
      if (!(error instanceof MenuError) || this.#reader.gate.closed) throw error;
      return meals.map(({ code, label }) => ({ code, label, error }));
    } finally {
      this.#underWay.delete(place);
    }
  }

  async #meals(restaurantId: string, date: string, priority: Priority): Promise<readonly Meal[]> {
    const { cache, vendor } = this.#reader;
    const load: Load<Dated<readonly Meal[]>> = async (before) => {
      const reading = await this.#reader.read(
        'meals',
        (operator, options) => operator.meals(restaurantId, options),
        priority,
      );
      const listed = orderMeals(withLost(reading, before?.value, (meal) => meal.code));
      // A list of nothing says nothing about each of them: whether there are menus is for the meals to say.
      const meals = listed.length > 0 ? listed : (before?.value ?? USUAL_MEALS);
      return { value: this.#reader.dated(meals, reading.droppedRows > 0) };
    };
    // The caller has its own deadline; here only the operator's timeouts and attempts limit the wait.
    const forever = Number.POSITIVE_INFINITY;
    const key = entryKey('meals', vendor, restaurantId);
    const { value } = await cache.get(key, mealsKind(date, this.#reader), load, forever);
    return value?.value ?? USUAL_MEALS;
  }
}

/** The meal of the moment is asked for first: where one request is made at a time, another that hangs would hold it up. */
function fromNow(meals: readonly Meal[], date: string, nowMs: number): readonly Meal[] {
  const periods = meals.map((meal): MealPeriod => ({ ...meal, status: 'loading', menus: [] }));
  const { coming, over } = mealsFromNow({ date, periods }, nowMs);
  return [...coming, ...over].map(({ code, label }) => ({ code, label }));
}

/** A day counts as failed if none of its meals could be read. */
function outcomeOf(place: string, readings: readonly MealReading[]): ReadOutcome {
  const errors = readings.flatMap((reading) => ('error' in reading ? [reading.error] : []));
  return { place, error: errors[0], isWhole: errors.length > 0 && errors.length === readings.length };
}
