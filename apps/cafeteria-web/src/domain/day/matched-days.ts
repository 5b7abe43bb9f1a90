import type { DailyMenu, DishMatch } from 'menu-client';

/** The days of the matches, with only what matches, in the order of the matches. */
export function matchedDays(matches: readonly DishMatch[]): readonly DailyMenu[] {
  const days = Map.groupBy(
    matches,
    ({ restaurant, date }) => `${restaurant.vendor} ${restaurant.id} ${date}`,
  );
  return [...days.values()].flatMap((ofDay) => {
    const periods = [...Map.groupBy(ofDay, ({ period }) => period.code).values()];
    return ofDay.slice(0, 1).map(({ restaurant, date }) => ({
      restaurant,
      date,
      periods: periods.flatMap((ofMeal) =>
        ofMeal.slice(0, 1).map(({ period }) => ({ ...period, menus: ofMeal.map(({ menu }) => menu) })),
      ),
    }));
  });
}
