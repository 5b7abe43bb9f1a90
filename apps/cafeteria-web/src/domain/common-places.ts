import type { Restaurant } from 'menu-client';

const MIN_RESTAURANTS = 2;

/**
 * The places and companies with the most restaurants, most first: searches that are sure to find something.
 *
 * @param limit how many at most
 */
export function commonPlaces(restaurants: readonly Restaurant[], limit: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const { location } of restaurants) {
    for (const place of new Set(location)) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts]
    .filter(([place, count]) => count >= MIN_RESTAURANTS && place.trim().length > 1)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([place]) => place);
}
