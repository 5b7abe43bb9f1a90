import type { DailyMenu, MealPeriod, Menu, Restaurant } from 'menu-client';
import { currentMeal } from './meal-clock.ts';

/** One menu of a gallery over several restaurants. */
export interface GalleryItem {
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly period: MealPeriod;
  readonly menu: Menu;
}

/** The menus with photos of each restaurant's present meal, one restaurant after the other in turns. */
export function galleryOf(
  days: readonly DailyMenu[],
  minuteOfDay: number,
  limit: number,
): readonly GalleryItem[] {
  const perDay = days.map((day) => {
    const withPhotos = day.periods.filter((period) => period.menus.some((menu) => menu.photo !== undefined));
    const code = currentMeal(withPhotos, minuteOfDay);
    const period = withPhotos.find((each) => each.code === code);
    return (period?.menus ?? [])
      .filter((menu) => menu.photo !== undefined)
      .map((menu) => ({ restaurant: day.restaurant, date: day.date, period, menu }) as GalleryItem);
  });
  const items: GalleryItem[] = [];
  for (let turn = 0; items.length < limit && perDay.some((menus) => menus.length > turn); turn += 1) {
    for (const menus of perDay) {
      const item = menus[turn];
      if (item !== undefined && items.length < limit) items.push(item);
    }
  }
  return items;
}
