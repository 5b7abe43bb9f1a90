import type { Restaurant } from 'menu-client';
import { plainLine } from '../render/plain-text.ts';

/** Company and place, then the name, without repeating a word that both have. */
function placeName({ name, location }: Restaurant): string {
  const own = plainLine(name);
  const places = location.map(plainLine).filter((place) => !own.startsWith(place));
  return [...places, own].join(' ');
}

/** A name for each restaurant that none of the others has: where names and places are the same, the id tells them apart. */
export function placeNames(restaurants: readonly Restaurant[]): (restaurant: Restaurant) => string {
  const counts = new Map<string, number>();
  for (const restaurant of restaurants) {
    const name = placeName(restaurant);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (restaurant) => {
    const name = placeName(restaurant);
    return (counts.get(name) ?? 0) > 1 ? `${name} (${restaurant.vendor} ${restaurant.id})` : name;
  };
}
