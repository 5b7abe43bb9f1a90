import type { DailyMenu, KnownMealCode, MenuService, Restaurant, WaitOptions } from 'menu-client';
import { MEAL_CODES, MenuError, mealOrder } from 'menu-client';
import { nothingServed } from './day-view.ts';
import { otherDay } from './other-day.ts';

/** Days of restaurants, as far as they are known by the end of a wait. */
export interface KnownDays {
  readonly days: readonly DailyMenu[];
  /** Restaurants whose day could not be loaded. */
  readonly failed: readonly Restaurant[];
}

function hasLeft(error: unknown): boolean {
  return error instanceof MenuError && error.code === 'restaurant_not_found';
}

/** The restaurants' days; one that left the catalogue has none. */
export async function daysOf(
  service: MenuService,
  restaurants: readonly Restaurant[],
  date: string,
  wait: WaitOptions,
): Promise<KnownDays> {
  const found = await Promise.allSettled(
    restaurants.map(({ vendor, id }) => service.dailyMenu(vendor, id, date, wait)),
  );
  const days = found.flatMap((day) => (day.status === 'fulfilled' ? [day.value] : []));
  const failed = restaurants.filter((_, at) => {
    const day = found[at];
    return day?.status === 'rejected' && !hasLeft(day.reason);
  });
  return { days, failed };
}

/** Where restaurants are closed, and when they open again. */
export interface ClosedDays {
  readonly closed: readonly Restaurant[];
  /** The next day with menus of each of them, by date. */
  readonly next: readonly DailyMenu[];
  /** True when it is not known yet which day is the next one with menus. */
  readonly loading: boolean;
}

/** Which of the days have no menu at all, and the next days that have. */
export async function closedDays(
  service: MenuService,
  days: readonly DailyMenu[],
  today: string,
  wait: WaitOptions,
): Promise<ClosedDays> {
  const closed = days.filter(nothingServed);
  const others = await Promise.all(closed.map((day) => otherDay(service, day, today, wait)));
  const next = others.flatMap((other) => (other?.kind === 'next' ? [other.day] : []));
  return {
    closed: closed.map(({ restaurant }) => restaurant),
    next: next.toSorted((a, b) => Number(a.date > b.date) - Number(a.date < b.date)),
    loading: others.some((other) => other?.kind === 'loading'),
  };
}

/** The meals that the days offer, in the order of the day. */
export function offeredCodes(days: readonly DailyMenu[]): readonly KnownMealCode[] {
  const codes = new Set(
    days.flatMap(({ periods }) => periods.filter(({ status }) => status !== 'empty').map(({ code }) => code)),
  );
  return MEAL_CODES.filter((code) => codes.has(code)).toSorted((a, b) => mealOrder(a) - mealOrder(b));
}
