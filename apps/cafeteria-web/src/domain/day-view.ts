import type { DailyMenu, MealPeriod, Menu } from 'menu-client';
import { mealOrder } from './meal-clock.ts';

export const DAY_VIEWS = ['gallery', 'take-in', 'takeout'] as const;

/** `gallery` shows every menu; the other two show those eaten there or taken away. */
export type DayView = (typeof DAY_VIEWS)[number];

export function isDayView(text: string): text is DayView {
  return DAY_VIEWS.some((view) => view === text);
}

/** In the gallery, menus without a photo come last: text between photos would leave a gap. */
export function menusOf(period: MealPeriod, view: DayView): readonly Menu[] {
  if (view === 'gallery') {
    return [true, false].flatMap((shown) =>
      period.menus.filter(({ photo }) => (photo !== undefined) === shown),
    );
  }
  const serving = view === 'takeout' ? 'take-out' : 'take-in';
  return period.menus.filter((menu) => menu.serving === serving);
}

/** How many menus the day has in a view. */
export function countMenus(day: DailyMenu, view: DayView): number {
  return day.periods.reduce((sum, period) => sum + menusOf(period, view).length, 0);
}

/** True when part of the days could not be read and nothing earlier is shown in its place. */
export function hasUnread(days: readonly DailyMenu[]): boolean {
  return days.some(({ periods }) => periods.some(({ status }) => status === 'failed'));
}

/** True when the operator was read and serves no meal on this day. */
export function nothingServed(day: DailyMenu): boolean {
  return day.periods.every(({ status }) => status === 'empty');
}

/** True when no meal of the day could be read, now or ever before. */
export function nothingRead(day: DailyMenu): boolean {
  return day.periods.length > 0 && day.periods.every(({ status }) => status === 'failed');
}

/** The day with only the meals that have menus. */
export function servedMeals(day: DailyMenu): DailyMenu {
  return { ...day, periods: day.periods.filter(({ menus }) => menus.length > 0) };
}

/** True when the items of a bundle could not be read and nothing earlier is shown in their place. */
export function hasUnreadItems({ periods }: DailyMenu): boolean {
  return periods.some(({ menus }) => menus.some(({ bundle }) => bundle?.status === 'failed'));
}

/** The periods in the order of the day (dawn first). */
export function periodsInOrder(day: DailyMenu): readonly MealPeriod[] {
  return [...day.periods].sort((a, b) => mealOrder(a.code) - mealOrder(b.code));
}

/** Differs whenever a page of this day would: statuses, readings and changes of every period. */
export function dayVersion(day: DailyMenu): string {
  let version = day.restaurant.name;
  for (const { code, status, menus, fetchedAt, changedAt } of day.periods) {
    version += `|${code}${status}${menus.length}${fetchedAt ?? ''}${changedAt ?? ''}`;
  }
  return version;
}
