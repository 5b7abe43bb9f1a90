import type { FC } from 'hono/jsx';
import { nothingFound } from '../../notes/nothing-found.ts';
import type { PageContext } from '../../page-context.ts';
import { RestaurantLink } from '../parts/restaurant-link.tsx';
import { Star } from '../parts/star.tsx';
import { FoundDishes } from './found-dishes.tsx';
import { type FoundModel, findsNothing, unsearched } from './found-model.ts';
import { SearchBox } from './search-box.tsx';
import { homeDocument } from './shell.tsx';
import { Incomplete } from './unread-notes.tsx';

type Props = { readonly page: PageContext; readonly model: FoundModel };

const Restaurants: FC<Props> = ({ page, model }) => {
  const { text } = page;
  const { restaurants, resultLimit, query, date } = model;
  return restaurants.length === 0 ? null : (
    <section class="found" aria-labelledby="restaurants">
      <h2 id="restaurants">
        {restaurants.length < resultLimit
          ? text.searchCount(restaurants.length)
          : text.searchMany(restaurants.length)}
      </h2>
      <ul class="list">
        {restaurants.map((restaurant) => (
          <li>
            <RestaurantLink page={page} restaurant={restaurant} query={query} date={date} />
            <Star page={page} restaurant={restaurant} named />
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Restaurants and dishes that a search finds. */
export function renderFound(page: PageContext, model: FoundModel): string {
  const { text } = page;
  const { query, path, incomplete, dishesFirst } = model;
  return homeDocument(
    page,
    { path, query, mine: [], loading: model.loading },
    <>
      <SearchBox page={page} query={query} small />
      <div class="results" data-live="results">
        <h1>{text.searchTitle(query)}</h1>
        <Incomplete page={page} incomplete={incomplete} />
        {model.outside === undefined ? null : (
          <p class="note">{text.dishOutside(text.longDate(model.outside))}</p>
        )}
        {findsNothing(model) ? <p class="note">{nothingFound(page, query, unsearched(model))}</p> : null}
        {dishesFirst ? null : <Restaurants page={page} model={model} />}
        <FoundDishes page={page} model={model} />
        {dishesFirst ? <Restaurants page={page} model={model} /> : null}
      </div>
    </>,
  );
}
