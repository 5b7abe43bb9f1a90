import type { FC } from 'hono/jsx';
import type { DailyMenu, Restaurant, UnreadOperator } from 'menu-client';
import { type Favourite, isRead, type UnreadFavourite } from '../../domain/favourite.ts';
import type { GalleryItem } from '../../domain/gallery.ts';
import { dayPath, restaurantPath } from '../../domain/restaurant-path.ts';
import { foreignLanguage, linkTo, namesOf, type PageContext } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { emptyGallery, incompleteNotes, lacksMenus } from '../unread-notes.ts';
import { toDocument } from './document.ts';
import { Icon } from './icon.tsx';
import { Layout } from './layout.tsx';
import { MenuPhotoBox } from './menu-photo.tsx';
import { mealLabel, PeriodNote } from './period-section.tsx';
import { restaurantKey } from './restaurant-heading.tsx';

export interface HomePageModel {
  readonly query: string;
  /** Absent when nothing was asked. */
  readonly results?: readonly Restaurant[];
  readonly resultLimit: number;
  /** Operators whose restaurants are missing. */
  readonly incomplete: readonly UnreadOperator[];
  /** Restaurants of the visitor's cookie, in their order. */
  readonly mine: readonly Favourite[];
  /** Searches to start with, for visitors who have chosen no restaurant. */
  readonly places: readonly string[];
  /** The days that the gallery is of. */
  readonly days: readonly DailyMenu[];
  readonly gallery: readonly GalleryItem[];
  /** Restaurants whose day could not be asked for. */
  readonly failed: readonly Restaurant[];
  /** True when days of the gallery are still being read. */
  readonly pending: boolean;
}

const SearchBox: FC<{ page: PageContext; query: string }> = ({ page, query }) => {
  const { text } = page;
  return (
    <form class="search" action="/" role="search">
      <div class="field">
        <Icon name="search" />
        <label class="quiet" for="q">
          {text.searchLabel}
        </label>
        <input
          id="q"
          type="search"
          name="q"
          value={query}
          placeholder={text.searchPlaceholder}
          maxlength={100}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          aria-describedby="q-hint"
          data-suggest="/proxy/search"
          data-count={text.searchCount(0)}
          data-none={text.searchNone}
          data-incomplete={text.searchNoneYet}
        />
        {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
        <button type="submit">{text.searchButton}</button>
      </div>
      <p class="hint" id="q-hint">
        {text.searchHint}
      </p>
    </form>
  );
};

const RestaurantLink: FC<{ page: PageContext; restaurant: Restaurant }> = ({ page, restaurant }) => {
  const { primary, secondary } = namesOf(page, restaurant);
  return (
    <a class="restaurant-link" href={linkTo(page, restaurantPath(restaurant))}>
      <strong lang={foreignLanguage(page, primary)}>{primary}</strong>
      {secondary === undefined ? null : <small>{secondary}</small>}
      <span class="place">
        <span class="vendor">{page.text.vendors[restaurant.vendor]}</span>
        {restaurant.location.map((place) => (
          <span lang={foreignLanguage(page, place)}>{plainLine(place)}</span>
        ))}
      </span>
    </a>
  );
};

/** Says which operators are missing from what is shown. */
const Incomplete: FC<{ page: PageContext; incomplete: readonly UnreadOperator[] }> = ({
  page,
  incomplete,
}) => (
  <>
    {incompleteNotes(page, incomplete).map((note) => (
      <p class="note warn">{note}</p>
    ))}
  </>
);

const Results: FC<{ page: PageContext; model: HomePageModel }> = ({ page, model }) => {
  const { text } = page;
  const results = model.results ?? [];
  return (
    <section class="results" aria-labelledby="results">
      <h1 id="results">{text.searchTitle(model.query)}</h1>
      <Incomplete page={page} incomplete={model.incomplete} />
      {results.length === 0 ? (
        <p class="note">
          {model.incomplete.length > 0
            ? `${text.searchNoneYet} ${text.failedRetry}`
            : `${text.searchNone} ${text.searchNoneHint}`}
        </p>
      ) : (
        <>
          <p class="hint">
            {results.length < model.resultLimit
              ? text.searchCount(results.length)
              : text.searchMany(results.length)}
          </p>
          <ul class="list">
            {results.map((restaurant) => (
              <li>
                <RestaurantLink page={page} restaurant={restaurant} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};

/** Places and companies to look at for somebody who does not know yet what to type. */
const Places: FC<{ page: PageContext; places: readonly string[] }> = ({ page, places }) =>
  places.length === 0 ? null : (
    <nav class="places" aria-label={page.text.placesLabel}>
      {places.map((place) => (
        <a href={linkTo(page, '/', { q: place })} lang={foreignLanguage(page, place)}>
          {plainLine(place)}
        </a>
      ))}
    </nav>
  );

/** It keeps its place, so that editing the list does not lose it. */
const UnreadRestaurant: FC<{ page: PageContext; favourite: UnreadFavourite }> = ({ page, favourite }) => (
  <div class="restaurant-link">
    <strong>{favourite.id}</strong>
    <span class="place">
      <span class="vendor">{page.text.vendors[favourite.vendor]}</span>
      <span>{page.text.unreadRestaurant}</span>
    </span>
  </div>
);

const Mine: FC<{ page: PageContext; mine: readonly Favourite[] }> = ({ page, mine }) => {
  const { text } = page;
  return (
    <section class="mine" aria-labelledby="mine">
      <div class="head">
        <h2 id="mine">{text.myRestaurants}</h2>
        <button type="button" class="plain" hidden aria-expanded="false" data-edit-mine>
          {text.editMine}
        </button>
      </div>
      <ul class="list">
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
    </section>
  );
};

const GalleryCard: FC<{ page: PageContext; item: GalleryItem; eager: boolean }> = ({ page, item, eager }) => {
  const { restaurant, period, menu } = item;
  return (
    <li class={menu.soldOut ? 'card sold-out' : 'card'}>
      <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} eager={eager} />
      <div class="text">
        <p class="labels">
          <span class="corner">{page.text.meals[period.code]}</span>
          {menu.soldOut ? <span class="tag sold">{page.text.soldOut}</span> : null}
        </p>
        <h3 lang={foreignLanguage(page, namesOf(page, menu).primary)}>{namesOf(page, menu).primary}</h3>
        <p class="sides">
          <a href={linkTo(page, dayPath(restaurant, item.date))}>{namesOf(page, restaurant).primary}</a>
        </p>
      </div>
    </li>
  );
};

/** What is served now at my restaurants, or at some to look at. */
const Today: FC<{ page: PageContext; model: HomePageModel }> = ({ page, model }) => {
  const { text } = page;
  const { mine, gallery, days } = model;
  return (
    <section class="today" aria-labelledby="today">
      <h2 id="today">
        {mine.length === 0 ? text.todaysGallery : text.todaysGalleryMine}
        <small class="as-of">
          <time datetime={page.today}>{text.date(page.today)}</time>
        </small>
      </h2>
      {mine.length === 0 ? <p class="hint">{text.myRestaurantsEmpty}</p> : null}
      <Incomplete page={page} incomplete={model.incomplete} />
      {gallery.length === 0 ? (
        <p class={lacksMenus(model) ? 'note warn' : 'note'}>{emptyGallery(page, model)}</p>
      ) : (
        <ul class="cards">
          {gallery.map((item, index) => (
            <GalleryCard page={page} item={item} eager={index < 2} />
          ))}
        </ul>
      )}
      {mine.length === 0 ? null : <GalleryNotes page={page} days={days} failed={model.failed} />}
    </section>
  );
};

/** My restaurants whose day could not be read or is old: listed next to the gallery, never silently left out. */
const GalleryNotes: FC<{
  page: PageContext;
  days: readonly DailyMenu[];
  failed: readonly Restaurant[];
}> = ({ page, days, failed }) => (
  <>
    {failed.map((restaurant) => (
      <div class="gallery-note">
        <b>{namesOf(page, restaurant).primary}</b>
        <p class="note warn">
          {page.text.failedPeriod} {page.text.failedRetry}
        </p>
      </div>
    ))}
    {days.flatMap((day) =>
      day.periods
        .filter((period) => period.status === 'failed' || period.status === 'stale')
        .map((period) => (
          <div class="gallery-note">
            <b>
              {namesOf(page, day.restaurant).primary} {mealLabel(page, period)}
            </b>
            <PeriodNote page={page} period={period} />
          </div>
        )),
    )}
  </>
);

export function renderHomePage(page: PageContext, model: HomePageModel): string {
  const { text } = page;
  const searched = model.results !== undefined;
  return toDocument(
    <Layout
      page={page}
      title={
        searched
          ? `${text.searchTitle(model.query)} | ${text.siteName}`
          : `${text.siteName} — ${text.tagline}`
      }
      description={text.description}
      path={searched ? `/?${new URLSearchParams({ q: model.query }).toString()}` : '/'}
      indexed={!searched}
      headerSearch={false}
      feeds={[{ title: text.rss, type: 'application/rss+xml', path: '/rss.xml' }]}
      scripts={['suggestions.js', 'favourites.js', 'photos.js']}
      jsonLd={{
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: text.siteName,
        url: `${page.origin}/`,
        inLanguage: ['ko', 'en'],
        potentialAction: {
          '@type': 'SearchAction',
          target: `${page.origin}/?q={search_term_string}`,
          'query-input': 'required name=search_term_string',
        },
      }}
    >
      {searched ? null : <h1 class={model.mine.length === 0 ? 'hero' : 'quiet'}>{text.tagline}</h1>}
      <SearchBox page={page} query={model.query} />
      {searched ? (
        <Results page={page} model={model} />
      ) : (
        <>
          <Places page={page} places={model.places} />
          {model.mine.length === 0 ? null : <Mine page={page} mine={model.mine} />}
          <Today page={page} model={model} />
        </>
      )}
    </Layout>,
  );
}
