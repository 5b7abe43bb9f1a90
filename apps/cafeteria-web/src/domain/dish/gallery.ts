import { type DailyMenu, type MealPeriod, type Menu, presentMeal, type Restaurant } from 'menu-client';
import { isUnread } from '../day/day-view.ts';
import { inGalleryOrder } from '../day/gallery-order.ts';

/** One menu of a gallery over several restaurants. */
export interface GalleryItem {
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly period: MealPeriod;
  /** Absent for a meal that is not read: it keeps its place. */
  readonly menu?: Menu;
}

export interface GalleryOptions {
  /** How many menus at most. */
  readonly limit: number;
  /** Leaves out menus without a photo; @default false */
  readonly photosOnly?: boolean;
}

/** The menus of a restaurant's current meal, in the order of the gallery. */
function presentMenus(day: DailyMenu, nowMs: number, photosOnly: boolean): readonly GalleryItem[] {
  const period = presentMeal(day, nowMs);
  if (period === undefined) return [];
  const { restaurant, date } = day;
  if (isUnread(period)) return [{ restaurant, date, period }];
  return inGalleryOrder(period.menus)
    .filter((menu) => !photosOnly || menu.photo !== undefined)
    .map((menu) => ({ restaurant, date, period, menu }));
}

/**
 * The menus of each restaurant's current meal, taking turns between restaurants.
 *
 * @param nowMs now, in ms since the epoch
 */
export function galleryOf(
  days: readonly DailyMenu[],
  nowMs: number,
  options: GalleryOptions,
): readonly GalleryItem[] {
  const { limit, photosOnly = false } = options;
  const perDay = days.map((day) => presentMenus(day, nowMs, photosOnly));
  const items: GalleryItem[] = [];
  for (let turn = 0; items.length < limit && perDay.some((menus) => menus.length > turn); turn += 1) {
    for (const menus of perDay) {
      const item = menus[turn];
      if (item !== undefined && items.length < limit) items.push(item);
    }
  }
  return items;
}
