import type { FC } from 'hono/jsx';
import type { DailyMenu, MealPeriod, Restaurant, UnreadOperator } from 'menu-client';
import { seoulToday } from 'menu-client';
import type { Favourite } from '../../domain/favourite.ts';
import type { GalleryItem } from '../../domain/gallery.ts';
import type { Look } from '../../domain/look.ts';
import type { MyMeal } from '../../domain/my-meals.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import { seoulClock } from '../../domain/seoul-time.ts';
import { nothingFound } from '../nothing-found.ts';
import { commonMealLabel, foreignLanguage, linkTo, namesOf, type PageContext } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { siteFeeds } from '../subscriptions.ts';
import { emptyGallery, incompleteNotes, lacksMenus } from '../unread-notes.ts';
import { toDocument } from './document.ts';
import { Icon } from './icon.tsx';
import { Layout } from './layout.tsx';
import { LoadingNote } from './loading-note.tsx';
import { MenuPhotoBox } from './menu-photo.tsx';
import { LookForm, MyMealSection } from './my-meal.tsx';
import { Mine } from './my-restaurants.tsx';
import { PeriodNote } from './period-section.tsx';
import { RestaurantLink } from './restaurant-link.tsx';
import { SEARCH_PARAMETER, SEARCH_TOOL } from './search-tool.ts';

export interface HomePageModel {
  readonly query: string;
  /** Absent when nothing was searched for. */
  readonly results?: readonly Restaurant[];
  readonly resultLimit: number;
  /** Operators whose restaurants are missing. */
  readonly incomplete: readonly UnreadOperator[];
  /** Restaurants of the visitor's cookie, in their order. */
  readonly mine: readonly Favourite[];
  /** Searches to start with, for visitors who have chosen no restaurant. */
  readonly places: readonly string[];
  /** The days that the gallery shows. */
  readonly days: readonly DailyMenu[];
  readonly gallery: readonly GalleryItem[];
  /** The current meals at the visitor's restaurants. */
  readonly meals: readonly MyMeal[];
  readonly look: Look;
  /** Restaurants whose day could not be loaded. */
  readonly failed: readonly Restaurant[];
  /** True when part of what the page shows is still being read. */
  readonly loading: boolean;
}

const SearchBox: FC<{ page: PageContext; query: string }> = ({ page, query }) => {
  const { text } = page;
  return (
    <form class="search" action="/" role="search" {...SEARCH_TOOL}>
      <div class="field">
        <Icon name="search" />
        <label class="quiet" for="q">
          {text.searchLabel}
        </label>
        <input
          id="q"
          type="search"
          name="q"
          {...SEARCH_PARAMETER}
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
    <section class="results" aria-labelledby="results" data-live="results">
      <h1 id="results">{text.searchTitle(model.query)}</h1>
      <Incomplete page={page} incomplete={model.incomplete} />
      {results.length === 0 ? (
        <p class="note">{nothingFound(page, model.query, model.incomplete.length > 0)}</p>
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
                <RestaurantLink page={page} restaurant={restaurant} query={model.query} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="to-dishes">
        <a href={linkTo(page, '/search', { q: model.query })} rel="nofollow">
          {text.dishSearch(model.query)}
        </a>
      </p>
    </section>
  );
};

/** Places and companies to try, for visitors who do not know yet what to type. */
const Places: FC<{ page: PageContext; places: readonly string[] }> = ({ page, places }) =>
  places.length === 0 ? null : (
    <nav class="places" aria-label={page.text.placesLabel}>
      {places.map((place) => (
        <a href={linkTo(page, '/', { q: place })} lang={foreignLanguage(page, place)}>
          {plainLine(place)}
        </a>
      ))}
      <a href={linkTo(page, '/search')}>{page.text.dishHeading}</a>
    </nav>
  );

/** All dishes of the current meal at my restaurants. */
const MyMeals: FC<{ page: PageContext; model: HomePageModel }> = ({ page, model }) => {
  const { text } = page;
  const { meals, look } = model;
  return (
    <section class="today" aria-labelledby="today">
      <h2 id="today">
        {text.todaysGalleryMine}
        <small class="as-of">
          <time datetime={page.today}>{text.date(page.today)}</time>
        </small>
      </h2>
      <LookForm page={page} look={look} />
      <div data-live="meals">
        <Incomplete page={page} incomplete={model.incomplete} />
        {meals.length === 0 ? (
          <NoMenus page={page} model={model} words={look.words} />
        ) : (
          meals.map((meal) => <MyMealSection page={page} meal={meal} words={look.words} />)
        )}
        <GalleryNotes page={page} model={model} />
      </div>
    </section>
  );
};

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
        <h3 lang={foreignLanguage(page, namesOf(page, menu).primary)}>{namesOf(page, menu).primary}</h3>
        <p class="sides">
          <a href={linkTo(page, dayPath(restaurant, item.date))}>{namesOf(page, restaurant).primary}</a>
        </p>
      </div>
    </li>
  );
};

/** What some example restaurants are serving now. */
const Today: FC<{ page: PageContext; model: HomePageModel }> = ({ page, model }) => {
  const { text } = page;
  const { gallery } = model;
  return (
    <section class="today" aria-labelledby="today">
      <h2 id="today">
        {text.todaysGallery}
        <small class="as-of">
          <time datetime={page.today}>{text.date(page.today)}</time>
        </small>
      </h2>
      <p class="hint">{text.myRestaurantsEmpty}</p>
      <div data-live="meals">
        <Incomplete page={page} incomplete={model.incomplete} />
        {gallery.length === 0 ? (
          <NoMenus page={page} model={model} words="" />
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

/** What else of my restaurants could not be read or is old: one note for all that failed, one for all that are old. */
const GalleryNotes: FC<{ page: PageContext; model: HomePageModel }> = ({ page, model }) => {
  const { text } = page;
  const { days, failed } = model;
  const told = new Set(model.meals.map(({ period }) => period));
  const failedNow = model.meals.some(({ period }) => period.status === 'failed');
  const named = (status: MealPeriod['status']): readonly string[] =>
    days.flatMap((day) => {
      const meals = day.periods.filter((period) => period.status === status && !told.has(period));
      const labels = meals.map((period) => commonMealLabel(page, period)).join(' · ');
      return meals.length === 0 ? [] : [`${namesOf(page, day.restaurant).primary} (${labels})`];
    });
  const unread = [...failed.map((restaurant) => namesOf(page, restaurant).primary), ...named('failed')];
  const stale = named('stale');
  const readAt = days
    .flatMap(({ periods }) => periods.filter((period) => period.status === 'stale' && !told.has(period)))
    .flatMap(({ fetchedAt }) => fetchedAt ?? [])
    .sort()[0];
  return (
    <>
      {unread.length === 0 && !failedNow ? null : (
        <div class={unread.length === 0 ? 'retry' : 'note warn retry'}>
          {unread.length === 0 ? null : (
            <p>
              {text.failedPeriod} {unread.join(', ')}
            </p>
          )}
          <a class="button" rel="nofollow" href={linkTo(page, '/')}>
            {text.retry}
          </a>
        </div>
      )}
      {stale.length === 0 || readAt === undefined ? null : (
        <p class="note warn">
          {text.staleNote(text.date(seoulToday(Date.parse(readAt))), seoulClock(readAt))} {stale.join(', ')}
        </p>
      )}
    </>
  );
};

/** Why there are no dishes. @param words that they had to have */
const NoMenus: FC<{ page: PageContext; model: HomePageModel; words: string }> = ({ page, model, words }) => {
  if (model.loading) return <LoadingNote page={page}>{emptyGallery(page, model)}</LoadingNote>;
  const filtered =
    words !== '' && model.days.some(({ periods }) => periods.some(({ menus }) => menus.length > 0));
  return (
    <p class={lacksMenus(model) ? 'note warn' : 'note'}>
      {filtered ? page.text.noneOfWords : emptyGallery(page, model)}
    </p>
  );
};

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
      feeds={siteFeeds(page, model.mine)}
      scripts={['suggestions.js', 'favourites.js', 'photos.js']}
      loading={model.loading}
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
          <div data-live="places">
            <Places page={page} places={model.places} />
          </div>
          {model.mine.length === 0 ? (
            <Today page={page} model={model} />
          ) : (
            <>
              <MyMeals page={page} model={model} />
              <Mine
                page={page}
                mine={model.mine}
                open={model.meals.length === 0 && model.look.words === ''}
              />
            </>
          )}
        </>
      )}
    </Layout>,
  );
}
