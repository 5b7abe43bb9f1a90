import type { FC } from 'hono/jsx';
import type { Restaurant } from 'menu-client';
import { dayPath, restaurantPath } from '../../../domain/restaurant-path.ts';
import { foreignLanguage, linkTo, namesOf, type PageContext, placesOf } from '../../page-context.ts';
import { Marked } from './marked.tsx';

interface Props {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  /** What was searched for; its matches are marked. */
  readonly query?: string;
  /** The day that it leads to. @default today */
  readonly date?: string | undefined;
}

/** A restaurant in a list, with where it is. */
export const RestaurantLink: FC<Props> = ({ page, restaurant, query = '', date }) => {
  const path = date === undefined ? restaurantPath(restaurant) : dayPath(restaurant, date);
  const { primary, secondary } = namesOf(page, restaurant);
  const marked = (text: string) => <Marked text={text} query={query} />;
  return (
    <a class="restaurant-link" href={linkTo(page, path)}>
      <strong lang={foreignLanguage(page, primary)}>{marked(primary)}</strong>
      {secondary === undefined ? null : <small>{marked(secondary)}</small>}
      <span class="place">
        <span class="vendor">{marked(page.text.vendors[restaurant.vendor])}</span>
        {placesOf(page, restaurant).map((place) => (
          <span lang={foreignLanguage(page, place)}>{marked(place)}</span>
        ))}
      </span>
    </a>
  );
};
