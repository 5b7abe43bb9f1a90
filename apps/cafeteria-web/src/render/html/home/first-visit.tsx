import type { FC } from 'hono/jsx';
import type { DailyMenu, Restaurant, UnreadOperator } from 'menu-client';
import type { GalleryItem } from '../../../domain/dish/gallery.ts';
import type { Favourite } from '../../../domain/favourite.ts';
import { dayPath } from '../../../domain/restaurant-path.ts';
import { emptyGallery, lacksMenus } from '../../notes/unread-notes.ts';
import { commonMealLabel, foreignLanguage, linkTo, namesOf, type PageContext } from '../../page-context.ts';
import { plainLine } from '../../plain-text.ts';
import { DishHeading } from '../menu/dish-heading.tsx';
import { MenuPhotoBox } from '../menu/menu-photo.tsx';
import { LoadingNote } from '../parts/loading-note.tsx';
import { PeriodNote } from '../parts/period-section.tsx';
import { SearchBox } from './search-box.tsx';
import { homeDocument } from './shell.tsx';
import { Incomplete } from './unread-notes.tsx';

export interface FirstVisitModel {
  /** Operators whose restaurants are missing. */
  readonly incomplete: readonly UnreadOperator[];
  readonly mine: readonly Favourite[];
  /** Companies and areas to begin with. */
  readonly places: readonly string[];
  /** The days that the gallery shows. */
  readonly days: readonly DailyMenu[];
  /** True when the restaurants serve nothing today: `days` are then the next ones with menus. */
  readonly isClosed: boolean;
  /** The date of `days`. */
  readonly date: string;
  readonly gallery: readonly GalleryItem[];
  /** Restaurants whose day could not be loaded. */
  readonly failed: readonly Restaurant[];
  /** True when part of what the page shows is still being read. */
  readonly loading: boolean;
}

type Props = { readonly page: PageContext; readonly model: FirstVisitModel };

/** Companies and areas, for visitors who do not know yet what to type. */
const Places: FC<Props> = ({ page, model: { places } }) =>
  places.length === 0 ? null : (
    <nav class="places" aria-label={page.text.placesLabel}>
      {places.map((place) => (
        <a href={linkTo(page, '/', { q: place })} lang={foreignLanguage(page, place)}>
          {plainLine(place)}
        </a>
      ))}
    </nav>
  );

/** A meal that is not read, in the place of its menus. */
const UnreadCard: FC<{ page: PageContext; item: GalleryItem }> = ({ page, item }) => (
  <li class="card">
    <div class="text">
      <p class="labels">
        <span class="corner">{commonMealLabel(page, item.period)}</span>
      </p>
      <PeriodNote page={page} period={item.period} />
      <p class="sides">
        <a href={linkTo(page, dayPath(item.restaurant, item.date))}>
          {namesOf(page, item.restaurant).primary}
        </a>
      </p>
    </div>
  </li>
);

const GalleryCard: FC<{ page: PageContext; item: GalleryItem; eager: boolean }> = ({ page, item, eager }) => {
  const { restaurant, period, menu } = item;
  if (menu === undefined) return <UnreadCard page={page} item={item} />;
  return (
    <li class={menu.soldOut ? 'card sold-out' : 'card'}>
      <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} eager={eager} />
      <div class="text">
        <p class="labels">
          <span class="corner">{commonMealLabel(page, period)}</span>
          {menu.soldOut ? <span class="tag sold">{page.text.soldOut}</span> : null}
        </p>
        <DishHeading page={page} level="h3" dish={menu} />
        <p class="sides">
          <a href={linkTo(page, dayPath(restaurant, item.date))}>{namesOf(page, restaurant).primary}</a>
        </p>
      </div>
    </li>
  );
};

const Empty: FC<Props> = ({ page, model }) =>
  model.loading ? (
    <LoadingNote page={page}>{emptyGallery(page, model)}</LoadingNote>
  ) : (
    <p class={lacksMenus(model) ? 'note warn' : 'note'}>{emptyGallery(page, model)}</p>
  );

/** What some example restaurants serve, today or on their next open day. */
const Examples: FC<Props> = ({ page, model }) => {
  const { text } = page;
  const { gallery, date, isClosed } = model;
  return (
    <section class="today" aria-labelledby="today">
      <div data-live="meals">
        {isClosed ? <p class="note">{text.closedToday}</p> : null}
        <h2 id="today">
          {date === page.today ? text.todaysGallery : text.galleryOf(text.date(date))}
          {date === page.today ? (
            <small class="as-of">
              <time datetime={date}>{text.date(date)}</time>
            </small>
          ) : null}
        </h2>
        <Incomplete page={page} incomplete={model.incomplete} />
        {gallery.length === 0 ? (
          <Empty page={page} model={model} />
        ) : (
          <ul class="cards">
            {gallery.map((item, index) => (
              <GalleryCard page={page} item={item} eager={index < 2} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
};

/** Home for visitors who have chosen no restaurant: where to begin, and what some restaurants serve. */
export function renderFirstVisit(page: PageContext, model: FirstVisitModel): string {
  const { text } = page;
  return homeDocument(
    page,
    { path: '/', mine: model.mine, loading: model.loading },
    <>
      <h1 class="hero">{text.tagline}</h1>
      <SearchBox page={page} />
      <p class="lead">{text.firstSteps}</p>
      <div data-live="places">
        <Places page={page} model={model} />
      </div>
      <Examples page={page} model={model} />
    </>,
  );
}
