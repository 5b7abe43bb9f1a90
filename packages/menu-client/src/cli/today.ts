import { MenuError } from '../domain/menu-error.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import type { MenuService } from '../service/contract/menu-service.ts';
import type { UnreadOperator } from '../service/contract/unread-operator.ts';

const fold = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, '').toLowerCase();
const SHOWN = 5;

/**
 * The one restaurant that the words name: by its id, by its whole name, or because nothing else matches.
 * @param tellUnread is told the operators that could not be searched
 */
export async function namedRestaurant(
  service: MenuService,
  words: string,
  tellUnread: (operators: readonly UnreadOperator[]) => void,
): Promise<Restaurant> {
  const { restaurants, incomplete } = await service.search(words, { limit: 50 });
  tellUnread(incomplete);
  const exact = restaurants.filter(({ id, name }) => id === words || fold(name) === fold(words));
  const [only] = exact.length > 0 ? exact : restaurants;
  if (only === undefined)
    throw new MenuError('restaurant_not_found', `No restaurant matches ${JSON.stringify(words)}.`);
  const found = exact.length > 0 ? exact : restaurants;
  if (found.length === 1) return only;
  const names = found
    .slice(0, SHOWN)
    .map(({ id, name, location }) => `${name} (${[...location].join(' > ')}, ${id})`);
  throw new MenuError(
    'restaurant_not_found',
    `${JSON.stringify(words)} names ${found.length === 50 ? '50 or more' : found.length} restaurants: ${names.join('; ')}${found.length > SHOWN ? '; …' : ''}. Add a place, or write the id.`,
  );
}
