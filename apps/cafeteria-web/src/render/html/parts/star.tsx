import type { FC } from 'hono/jsx';
import type { Restaurant } from 'menu-client';
import { namesOf, type PageContext } from '../../page-context.ts';
import { Icon } from '../frame/icon.tsx';

/** `vendor.id`: how the cookie of my restaurants names one; the id percent-encoded. */
export function restaurantKey({ vendor, id }: Pick<Restaurant, 'vendor' | 'id'>): string {
  return `${vendor}.${encodeURIComponent(id)}`;
}

/** Adds a restaurant to mine, or removes it; works by script and stays hidden without it. @param named whether its label names the restaurant, as where there are several. @default false */
export const Star: FC<{ page: PageContext; restaurant: Restaurant; named?: boolean }> = (props) => {
  const { page, restaurant, named = false } = props;
  const { text } = page;
  const whose = named ? `: ${namesOf(page, restaurant).primary}` : '';
  return (
    <button
      type="button"
      class="star"
      hidden
      aria-pressed="false"
      data-favourite={restaurantKey(restaurant)}
      data-add={text.addToMine + whose}
      data-remove={text.removeFromMine + whose}
      aria-label={text.addToMine + whose}
    >
      <Icon name="star" />
    </button>
  );
};
