import type { FC } from 'hono/jsx';
import type { DailyMenu, KnownMealCode, Restaurant, UnreadOperator } from 'menu-client';
import { type ChosenMeal, chosenParameters } from '../../../domain/chosen-meal.ts';
import type { Favourite } from '../../../domain/favourite.ts';
import { isFiltering, type Look } from '../../../domain/look.ts';
import type { MyMeal } from '../../../domain/my-meals.ts';
import { emptyGallery, lacksMenus } from '../../notes/unread-notes.ts';
import { namesOf, type PageContext } from '../../page-context.ts';
import { LoadingNote } from '../parts/loading-note.tsx';
import { LookForm } from './look-form.tsx';
import { MyMealSection } from './my-meal.tsx';
import { Mine } from './my-restaurants.tsx';
import { SearchBox } from './search-box.tsx';
import { homeDocument } from './shell.tsx';
import { Incomplete, UnreadMeals } from './unread-notes.tsx';
import { WhenRow, whenName } from './when-row.tsx';

export interface MyDayModel {
  /** Restaurants of the visitor's cookie, in their order. */
  readonly mine: readonly Favourite[];
  /** Operators whose restaurants are missing. */
  readonly incomplete: readonly UnreadOperator[];
  readonly chosen: ChosenMeal;
  /** The meal of the moment, where none was chosen. */
  readonly moment: KnownMealCode;
  readonly offered: readonly KnownMealCode[];
  readonly look: Look;
  /** All days that something is shown of. */
  readonly days: readonly DailyMenu[];
  readonly meals: readonly MyMeal[];
  /** Restaurants that serve nothing on the chosen day. */
  readonly closed: readonly Restaurant[];
  /** What those serve on their next open day, by date. */
  readonly next: readonly MyMeal[];
  /** Restaurants whose day could not be loaded. */
  readonly failed: readonly Restaurant[];
  /** True when part of what the page shows is still being read. */
  readonly loading: boolean;
}

type Props = { readonly page: PageContext; readonly model: MyDayModel };

const EAGER_PHOTOS = 2;
/** Of how many restaurants the service worker keeps the page before it is asked for. */
const AHEAD = 3;

/** Who is closed on the chosen day, in one sentence. */
export function closedNote(page: PageContext, { closed, chosen, mine }: MyDayModel): string | undefined {
  if (closed.length === 0) return undefined;
  const { text } = page;
  const note = chosen.date === page.today ? text.closedToday : text.closedThen(text.date(chosen.date));
  if (closed.length === mine.length) return note;
  return text.closedWhere(note, closed.map((each) => namesOf(page, each).primary).join(', '));
}

/** Why there are no dishes. */
const NoMenus: FC<Props> = ({ page, model }) => {
  if (model.loading) return <LoadingNote page={page}>{emptyGallery(page, model)}</LoadingNote>;
  const filtered =
    isFiltering(model.look) &&
    model.days.some(({ periods }) => periods.some(({ menus }) => menus.length > 0));
  return (
    <p class={lacksMenus(model) ? 'note warn' : 'note'}>
      {filtered ? page.text.noneOfLook : emptyGallery(page, model)}
    </p>
  );
};

/** What the closed restaurants serve next, each day under its own date. */
const NextDays: FC<Props> = ({ page, model }) => {
  const { next, look } = model;
  const dates = [...new Set(next.map(({ date }) => date))];
  return (
    <>
      {dates.map((date) => (
        <section class="next-day" aria-labelledby={`on-${date}`}>
          <h2 id={`on-${date}`}>
            <time datetime={date}>{page.text.date(date)}</time>
          </h2>
          {next
            .filter((meal) => meal.date === date)
            .map((meal) => (
              <MyMealSection page={page} meal={meal} mealName="" open={look.words !== ''} eagerPhotos={0} />
            ))}
        </section>
      ))}
    </>
  );
};

/** Home for visitors who have restaurants: one meal at each of them, and in one tap any other. */
export function renderMyDay(page: PageContext, model: MyDayModel): string {
  const { text } = page;
  const { chosen, moment, offered, look, meals, next, closed } = model;
  const kept = chosenParameters(chosen, page.today);
  const query = new URLSearchParams(kept).toString();
  const path = query === '' ? '/' : `/?${query}`;
  const note = closedNote(page, model);
  return homeDocument(
    page,
    { path, mine: model.mine, loading: model.loading, scripts: ['dish.js', 'folds.js'] },
    <>
      <h1 class="quiet">{text.myMenus(whenName({ page, chosen, moment }))}</h1>
      <SearchBox page={page} small />
      <div class="when">
        <WhenRow page={page} chosen={chosen} moment={moment} offered={offered} />
        <LookForm page={page} look={look} kept={kept} />
      </div>
      <div class="my-day" data-live="meals">
        <Incomplete page={page} incomplete={model.incomplete} />
        {note === undefined ? null : <p class="note closed">{note}</p>}
        {meals.length + closed.length === 0 || (meals.length + next.length === 0 && isFiltering(look)) ? (
          <NoMenus page={page} model={model} />
        ) : null}
        {meals.map((meal, at) => (
          <MyMealSection
            page={page}
            meal={meal}
            mealName={text.meals[chosen.meal ?? moment]}
            open={look.words !== ''}
            eagerPhotos={at === 0 ? EAGER_PHOTOS : 0}
            ahead={at < AHEAD}
          />
        ))}
        {next.length === 0 && closed.length > 0 && model.loading ? (
          <LoadingNote page={page}>{text.nextLoading}</LoadingNote>
        ) : null}
        <NextDays page={page} model={model} />
        <UnreadMeals
          page={page}
          days={model.days}
          meals={[...meals, ...next]}
          failed={model.failed}
          path={path}
        />
      </div>
      <Mine page={page} mine={model.mine} open={meals.length + next.length === 0 && !isFiltering(look)} />
    </>,
  );
}
