import type { FC } from 'hono/jsx';
import type { Restaurant } from 'menu-client';
import { restaurantPath } from '../../../domain/restaurant-path.ts';
import { foreignLanguage, linkTo, namesOf, type PageContext, placesOf } from '../../page-context.ts';
import { Marked } from './marked.tsx';

/** A restaurant in a list, with where it is. @param query what was searched for; its matches are marked */
export const RestaurantLink: FC<{ page: PageContext; restaurant: Restaurant; query?: string }> = (props) => {
  const { page, restaurant, query = '' } = props;
  const { primary, secondary } = namesOf(page, restaurant);
  const marked = (text: string) => <Marked text={text} query={query} />;
  return (
    <a class="restaurant-link" href={linkTo(page, restaurantPath(restaurant))}>
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
