import { type DailyMenu, inOrderOfDay, type MealPeriod, type Menu, type PeriodStatus } from 'menu-client';
import { inGalleryOrder } from './gallery-order.ts';

export const DAY_VIEWS = ['gallery', 'take-in', 'takeout'] as const;

/** `gallery` shows every menu; the other two show those eaten there or taken away. */
export type DayView = (typeof DAY_VIEWS)[number];

export function isDayView(text: string): text is DayView {
  return DAY_VIEWS.some((view) => view === text);
}

export function menusOf(period: MealPeriod, view: DayView): readonly Menu[] {
  if (view === 'gallery') return inGalleryOrder(period.menus);
  const serving = view === 'takeout' ? 'take-out' : 'take-in';
  return period.menus.filter((menu) => menu.serving === serving);
}

/** How many menus the day has in a view. */
export function countMenus(day: DailyMenu, view: DayView): number {
  return day.periods.reduce((sum, period) => sum + menusOf(period, view).length, 0);
}

/** True when nothing is known of a meal: it could not be read, or is on its way. */
export function isUnread({ status }: { readonly status: PeriodStatus }): boolean {
  return status === 'failed' || status === 'loading';
}

/** True when part of the days is not read and nothing earlier is shown in its place. */
export function hasUnread(days: readonly DailyMenu[]): boolean {
  return days.some(({ periods }) => periods.some(isUnread));
}

const ON_ITS_WAY = 'not_read_yet';

/** True when part of the days is on its way: asking again in a moment shows more. */
export function isLoading(days: readonly DailyMenu[]): boolean {
  return days.some(({ periods }) =>
    periods.some(
      ({ status, error, menus }) =>
        status === 'loading' ||
        error?.code === ON_ITS_WAY ||
        menus.some(({ bundle }) => bundle?.status === 'loading'),
    ),
  );
}

/** True when the operator was read and serves no meal on this day. */
export function nothingServed(day: DailyMenu): boolean {
  return day.periods.every(({ status }) => status === 'empty');
}

/** True when no meal of the day was read, now or ever before. */
export function nothingRead(day: DailyMenu): boolean {
  return day.periods.length > 0 && day.periods.every(isUnread);
}

/** The day with only the meals that have menus: for showing what is left of an earlier reading. */
export function servedMeals(day: DailyMenu): DailyMenu {
  return { ...day, periods: day.periods.filter(({ menus }) => menus.length > 0) };
}

/** The day without the meals of which the operator says that there are none. */
export function offeredMeals(day: DailyMenu): DailyMenu {
  return { ...day, periods: day.periods.filter(({ status }) => status !== 'empty') };
}

/** True when the items of a bundle are not read and nothing earlier is shown in their place. */
export function hasUnreadItems({ periods }: DailyMenu): boolean {
  return periods.some(({ menus }) => menus.some(({ bundle }) => bundle !== undefined && isUnread(bundle)));
}

/** The periods in the order of the day (dawn first). */
export function periodsInOrder(day: DailyMenu): readonly MealPeriod[] {
  return inOrderOfDay(day.periods);
}

/** Differs whenever a page of this day would: statuses, readings and changes of every period. */
export function dayVersion(day: DailyMenu): string {
  let version = day.restaurant.name;
  for (const { code, status, menus, fetchedAt, changedAt, error } of day.periods) {
    version += `|${code}${status}${menus.length}${fetchedAt ?? ''}${changedAt ?? ''}${error?.code ?? ''}`;
  }
  return version;
}
