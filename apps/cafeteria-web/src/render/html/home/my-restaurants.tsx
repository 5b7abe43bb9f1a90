import type { FC } from 'hono/jsx';
import { type Favourite, isRead, type UnreadFavourite } from '../../../domain/favourite.ts';
import { linkTo, type PageContext } from '../../page-context.ts';
import { siteFeeds } from '../../subscriptions.ts';
import { RestaurantLink } from '../parts/restaurant-link.tsx';
import { restaurantKey } from '../parts/star.tsx';

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

/** Buttons that move a restaurant or remove it; they work by script, as does dragging, and are hidden without it. */
const Edit: FC<{ page: PageContext; name: string }> = ({ page: { text }, name }) => (
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
    <span class="grip" aria-hidden="true" title={text.dragToMove} data-grip>
      ⠿
    </span>
  </span>
);

/** The visitor's restaurants: to add to, to put in order and to subscribe to. @param open true when nothing else can be shown */
export const Mine: FC<{ page: PageContext; mine: readonly Favourite[]; open: boolean }> = ({
  page,
  mine,
  open,
}) => {
  const { text } = page;
  return (
    <div class="manage">
      <a class="chip" href="#q">
        + {text.addRestaurant}
      </a>
      <a class="chip" href={linkTo(page, '/takeout')} rel="nofollow">
        {text.takeoutTitle}
      </a>
      <details class="mine" id="mine" open={open}>
        <summary>{text.manageMine(mine.length)}</summary>
        <ul class="list" data-live="mine">
          {mine.map((favourite) => (
            <li data-favourite-item={restaurantKey(favourite)}>
              {isRead(favourite) ? (
                <RestaurantLink page={page} restaurant={favourite} />
              ) : (
                <UnreadRestaurant page={page} favourite={favourite} />
              )}
              <Edit page={page} name={isRead(favourite) ? favourite.name : favourite.id} />
            </li>
          ))}
        </ul>
        <nav class="formats" aria-label={text.feeds}>
          {siteFeeds(page, mine).map(({ title, path }) => (
            <a href={path}>{title}</a>
          ))}
        </nav>
      </details>
    </div>
  );
};
