import type { FC } from 'hono/jsx';
import type { Restaurant, UnreadOperator } from 'menu-client';
import { nothingFound } from '../../nothing-found.ts';
import { linkTo, type PageContext } from '../../page-context.ts';
import { RestaurantLink } from '../restaurant-link.tsx';
import { Star } from '../star.tsx';
import { SearchBox } from './search-box.tsx';
import { homeDocument } from './shell.tsx';
import { Incomplete } from './unread-notes.tsx';

export interface FoundModel {
  readonly query: string;
  readonly results: readonly Restaurant[];
  readonly resultLimit: number;
  /** Operators whose restaurants are missing. */
  readonly incomplete: readonly UnreadOperator[];
  readonly loading: boolean;
}

const Results: FC<{ page: PageContext; model: FoundModel }> = ({ page, model }) => {
  const { text } = page;
  const { results } = model;
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
                <Star page={page} restaurant={restaurant} named />
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

/** What a search finds. */
export function renderFound(page: PageContext, model: FoundModel): string {
  const path = `/?${new URLSearchParams({ q: model.query }).toString()}`;
  return homeDocument(
    page,
    { path, query: model.query, mine: [], loading: model.loading },
    <>
      <SearchBox page={page} query={model.query} />
      <Results page={page} model={model} />
    </>,
  );
}
