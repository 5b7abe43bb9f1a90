import type { DishCount, Restaurant } from 'menu-client';

/** How many menus there are at a place: a company, an area, a building. */
export interface PlaceCount {
  readonly place: string;
  readonly count: number;
}

interface Place extends PlaceCount {
  /** Which restaurants are there. */
  readonly where: string;
}

/**
 * The places with most menus, those of the visitor's own restaurants first. Places with the same restaurants are named
 * once, and one with all of them not at all.
 *
 * @param limit how many at most
 */
export function placeCounts(
  byRestaurant: readonly DishCount[],
  mine: readonly Restaurant[],
  limit: number,
): readonly PlaceCount[] {
  const at = new Map<string, { count: number; restaurants: number[] }>();
  byRestaurant.forEach(({ restaurant, count }, index) => {
    for (const place of new Set(restaurant.location)) {
      const known = at.get(place) ?? { count: 0, restaurants: [] };
      known.count += count;
      known.restaurants.push(index);
      at.set(place, known);
    }
  });
  const own = new Set(mine.flatMap(({ location }) => location));
  const places = [...at]
    .filter(([, { restaurants }]) => restaurants.length < byRestaurant.length)
    .map(([place, { count, restaurants }]): Place => ({ place, count, where: restaurants.join() }))
    .sort((a, b) => Number(own.has(b.place)) - Number(own.has(a.place)) || b.count - a.count);
  const named = new Map<string, Place>();
  for (const each of places) if (!named.has(each.where)) named.set(each.where, each);
  return [...named.values()].slice(0, limit).map(({ place, count }) => ({ place, count }));
}
