import type { FC } from 'hono/jsx';
import type { Restaurant } from 'menu-client';
import { foreignLanguage, namesOf, type PageContext, placesBeside } from '../../page-context.ts';
import { Icon } from '../frame/icon.tsx';
import { Star } from './star.tsx';

/** Name, place, the star and the button to share; these work by script and stay hidden without it. */
export const RestaurantHeading: FC<{
  page: PageContext;
  restaurant: Restaurant;
  /** What the page is shared under. */
  share: string;
}> = ({ page, restaurant, share }) => {
  const { text } = page;
  const { primary, secondary } = namesOf(page, restaurant);
  return (
    <div class="restaurant">
      <p class="place">
        <span class="vendor">{text.vendors[restaurant.vendor]}</span>
        {placesBeside(page, restaurant).map((place) => (
          <span lang={foreignLanguage(page, place)}>{place}</span>
        ))}
      </p>
      <h1 lang={foreignLanguage(page, primary)}>{primary}</h1>
      {secondary === undefined ? null : (
        <p class="other-name" lang="ko">
          {secondary}
        </p>
      )}
      <button type="button" class="share" hidden data-share={share} aria-label={text.share}>
        <Icon name="share" />
      </button>
      <Star page={page} restaurant={restaurant} />
    </div>
  );
};
