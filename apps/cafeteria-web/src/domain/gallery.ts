import type { DailyMenu, MealPeriod, Menu, Restaurant } from 'menu-client';
import { currentMeal } from './meal-clock.ts';

/** One menu of a gallery over several restaurants. */
export interface GalleryItem {
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly period: MealPeriod;
  readonly menu: Menu;
}

export interface GalleryOptions {
  /** How many menus at most. */
  readonly limit: number;
  /** Leaves out menus without a photo; otherwise they come after those with one. @default false */
  readonly photosOnly?: boolean;
}

/** The menus of a restaurant's current meal, those with a photo first. */
function presentMenus(day: DailyMenu, minuteOfDay: number, photosOnly: boolean): readonly GalleryItem[] {
  const shown = (menu: Menu): boolean => !photosOnly || menu.photo !== undefined;
  const periods = day.periods.filter(({ menus }) => menus.some(shown));
  const code = currentMeal(periods, minuteOfDay);
  const period = periods.find((each) => each.code === code);
  if (period === undefined) return [];
  const withoutPhoto = (menu: Menu): number => (menu.photo === undefined ? 1 : 0);
  return period.menus
    .filter(shown)
    .sort((a, b) => withoutPhoto(a) - withoutPhoto(b))
    .map((menu) => ({ restaurant: day.restaurant, date: day.date, period, menu }));
}

/** The menus of each restaurant's current meal, taking turns between restaurants. */
export function galleryOf(
  days: readonly DailyMenu[],
  minuteOfDay: number,
  options: GalleryOptions,
): readonly GalleryItem[] {
  const { limit, photosOnly = false } = options;
  const perDay = days.map((day) => presentMenus(day, minuteOfDay, photosOnly));
  const items: GalleryItem[] = [];
  for (let turn = 0; items.length < limit && perDay.some((menus) => menus.length > turn); turn += 1) {
    for (const menus of perDay) {
      const item = menus[turn];
      if (item !== undefined && items.length < limit) items.push(item);
    }
  }
  return items;
}
