import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { DishList, DishMatch, Restaurant } from 'menu-client';
import { addDays } from 'menu-client';
import { dishWords } from '../../domain/dish-words.ts';
import { dishesOf } from '../../domain/dishes-of.ts';
import { alarmPath, dayPath, dishesPath } from '../../domain/restaurant-path.ts';
import { dishCount, dishNotes } from '../dish-notes.ts';
import {
  commonMealLabel,
  foreignLanguage,
  inLanguage,
  linkTo,
  namesOf,
  type PageContext,
  placesOf,
} from '../page-context.ts';
import { relativeDay } from './day-navigation.tsx';
import { toDocument } from './document.ts';
import { Icon } from './icon.tsx';
import { Layout } from './layout.tsx';
import { markedHtml } from './marked.ts';
import { nutritionLine } from './nutrition.tsx';
import { DISH_TOOL } from './search-tool.ts';

export interface DishesPageModel {
  readonly query: string;
  readonly found: DishList;
  /** The visitor's own restaurants. */
  readonly mine: readonly Restaurant[];
}

const DAYS = 7;

const DishBox: FC<{ page: PageContext; query: string }> = ({ page, query }) => (
  <form class="search" action="/search" role="search" {...DISH_TOOL}>
    <div class="field">
      <Icon name="search" />
      <label class="quiet" for="q">
        {page.text.dishLabel}
      </label>
      <input
        id="q"
        type="search"
        name="q"
        value={query}
        placeholder={page.text.dishPlaceholder}
        maxlength={100}
        aria-describedby="q-hint"
      />
      {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
      <button type="submit">{page.text.searchButton}</button>
    </div>
    <p class="hint" id="q-hint">
      {page.text.dishHint}
    </p>
  </form>
);

/** The seven days, each a link. */
const DayChips: FC<{ page: PageContext; model: DishesPageModel }> = ({ page, model }) => {
  const chip = (label: string, date?: string) => (
    <a
      href={linkToDishes(page, model.query, date)}
      rel="nofollow"
      {...(date === model.found.date ? { 'aria-current': 'page' as const } : {})}
    >
      {label}
    </a>
  );
  return (
    <nav class="meals" aria-label={page.text.dishDays}>
      {chip(page.text.dishAllDays)}
      {Array.from({ length: DAYS }, (_, day) => addDays(page.today, day)).map((date) =>
        chip(relativeDay(page, date) ?? page.text.date(date), date),
      )}
    </nav>
  );
};

function linkToDishes(page: PageContext, query: string, date?: string): string {
  return inLanguage(page, dishesPath(query, date));
}

const Dish: FC<{ page: PageContext; match: DishMatch; query: string }> = ({ page, match, query }) => {
  const { text } = page;
  const { restaurant, date, period, menu, found } = match;
  const { primary, secondary } = namesOf(page, menu);
  const place = namesOf(page, restaurant).primary;
  const sides = dishesOf(menu).filter(({ name }) => name !== menu.name);
  const marked = (name: string) => raw(markedHtml(name, query));
  return (
    <li class={menu.soldOut ? 'row dish sold-out' : 'row dish'}>
      <div class="text">
        <p class="labels">
          <span class="corner">{commonMealLabel(page, period)}</span>
          {menu.serving === 'take-out' ? <span class="tag out">{text.takeout}</span> : null}
          {menu.soldOut ? <span class="tag sold">{text.soldOut}</span> : null}
          {period.status === 'stale' ? <span class="tag out">{text.status.stale}</span> : null}
        </p>
        <h3 lang={foreignLanguage(page, primary)}>{marked(primary)}</h3>
        {secondary === undefined ? null : (
          <p class="other-name" lang="ko">
            {marked(secondary)}
          </p>
        )}
        {found === 'menu' || sides.length === 0 ? null : (
          <p class="sides">{marked(sides.map((side) => namesOf(page, side).primary).join(', '))}</p>
        )}
        <p class="sides">
          <a
            href={`${linkTo(page, dayPath(restaurant, date))}#meal-${period.code}`}
            lang={foreignLanguage(page, place)}
          >
            {place}
          </a>{' '}
          {[text.vendors[restaurant.vendor], ...placesOf(page, restaurant).slice(-2)].join(' · ')}
        </p>
        <p class="energy">{nutritionLine(page, menu.nutrition)}</p>
      </div>
    </li>
  );
};

/** Where and when a dish is served: by day, with a form to subscribe to it. */
export function renderDishesPage(page: PageContext, model: DishesPageModel): string {
  const { text } = page;
  const { query, found } = model;
  const title = query === '' ? text.dishHeading : text.dishTitle(query);
  const dates = [...new Set(found.matches.map(({ date }) => date))];
  return toDocument(
    <Layout
      page={page}
      title={`${title} | ${text.siteName}`}
      description={text.dishHint}
      path={query === '' ? '/search' : dishesPath(query, found.date)}
      indexed={query === ''}
      headerSearch={false}
    >
      <h1>{title}</h1>
      <DishBox page={page} query={query} />
      {query === '' ? null : (
        <section class="results" aria-label={title}>
          <DayChips page={page} model={model} />
          {dishNotes(page, found).map((note) => (
            <p class="note warn">{note}</p>
          ))}
          <p class={found.total === 0 ? 'note' : 'hint'}>{dishCount(page, found)}</p>
          {dishWords(query) === '' ? null : (
            <p>
              <a href={inLanguage(page, alarmPath('alarm', dishWords(query), []))} rel="nofollow">
                {text.alarmOf(dishWords(query))}
              </a>
            </p>
          )}
          {found.total > 0 ? null : (
            <p>
              <a href={linkTo(page, '/', { q: query })} rel="nofollow">
                {text.placeSearch(query)}
              </a>
            </p>
          )}
          {dates.map((date) => (
            <section class="period" aria-labelledby={`on-${date}`}>
              <h2 id={`on-${date}`}>
                <time datetime={date}>{text.date(date)}</time>
                {relativeDay(page, date) === undefined ? null : (
                  <span class="tag now">{relativeDay(page, date)}</span>
                )}
              </h2>
              <ul class="rows">
                {found.matches
                  .filter((match) => match.date === date)
                  .map((match) => (
                    <Dish page={page} match={match} query={query} />
                  ))}
              </ul>
            </section>
          ))}
        </section>
      )}
    </Layout>,
  );
}
