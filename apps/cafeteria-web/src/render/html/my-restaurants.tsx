import type { FC } from 'hono/jsx';
import { type Favourite, isRead, type UnreadFavourite } from '../../domain/favourite.ts';
import type { PageContext } from '../page-context.ts';
import { siteFeeds } from '../subscriptions.ts';
import { restaurantKey } from './restaurant-heading.tsx';
import { RestaurantLink } from './restaurant-link.tsx';

/** Keeps its place, so that editing the list does not lose it. */
const UnreadRestaurant: FC<{ page: PageContext; favourite: UnreadFavourite }> = ({ page, favourite }) => (
  <div class="restaurant-link">
    <strong>{favourite.id}</strong>
    <span class="place">
      <span class="vendor">{page.text.vendors[favourite.vendor]}</span>
      <span>{page.text.unreadRestaurant}</span>
    </span>
  </div>
);

/** The visitor's restaurants, to edit and to subscribe to. @param open true when nothing else can be shown */
export const Mine: FC<{ page: PageContext; mine: readonly Favourite[]; open: boolean }> = ({
  page,
  mine,
  open,
}) => {
  const { text } = page;
  return (
    <details class="mine" open={open}>
      <summary>{text.editMyRestaurants(mine.length)}</summary>
      <div class="head">
        <button type="button" class="plain" hidden aria-expanded="false" data-edit-mine>
          {text.editMine}
        </button>
      </div>
      <ul class="list" data-live="mine">
        {mine.map((favourite) => {
          const name = isRead(favourite) ? favourite.name : favourite.id;
          return (
            <li data-favourite-item={restaurantKey(favourite)}>
              {isRead(favourite) ? (
                <RestaurantLink page={page} restaurant={favourite} />
              ) : (
                <UnreadRestaurant page={page} favourite={favourite} />
              )}
              <span class="edit" hidden>
                <button type="button" data-move="-1" aria-label={`${text.moveUp}: ${name}`}>
                  ↑
                </button>
                <button type="button" data-move="1" aria-label={`${text.moveDown}: ${name}`}>
                  ↓
                </button>
                <button type="button" data-drop aria-label={`${text.removeFromMine}: ${name}`}>
                  ✕
                </button>
              </span>
            </li>
          );
        })}
      </ul>
      <nav class="formats" aria-label={text.feeds}>
        {siteFeeds(page, mine).map(({ title, path }) => (
          <a href={path}>{title}</a>
        ))}
      </nav>
    </details>
  );
};
