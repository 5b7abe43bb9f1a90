import type { FC } from 'hono/jsx';
import { addDays, type DailyMenu, formatCompactDate, type MealPeriod, presentMeal } from 'menu-client';
import { isUnread, menusOf } from '../../domain/day/day-view.ts';
import type { Favourite } from '../../domain/favourite.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import { unreadFavouriteNote } from '../notes/unread-notes.ts';
import { foreignLanguage, linkTo, mealLabel, type PageContext, placedName } from '../page-context.ts';
import { toDocument } from './frame/document.ts';
import { Layout } from './frame/layout.tsx';
import { relativeDay, viewQuery } from './parts/day-navigation.tsx';
import { PeriodNote } from './parts/period-section.tsx';
import { restaurantKey } from './parts/star.tsx';
import { type TakeoutAsked, TakeoutForm } from './takeout/takeout-form.tsx';
import { TakeoutRow } from './takeout/takeout-row.tsx';

export interface TakeoutPageModel {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** This day of each of the visitor's restaurants. */
  readonly days: readonly DailyMenu[];
  /** Those of which nothing could be looked up. */
  readonly failed: readonly Favourite[];
  /** True when part of it is on its way. */
  readonly loading: boolean;
  readonly takeout: TakeoutAsked;
  /** Now, in ms since the epoch. */
  readonly nowMs: number;
}

export interface TakeoutMeal {
  readonly day: DailyMenu;
  readonly period: MealPeriod;
}

/** The meal of the moment of each restaurant that has something to take out, or whose meal is not read. */
export function takeoutMeals({ days, nowMs }: TakeoutPageModel): readonly TakeoutMeal[] {
  return days.flatMap((day) => {
    const period = presentMeal(day, nowMs);
    if (period === undefined) return [];
    return isUnread(period) || menusOf(period, 'takeout').length > 0 ? [{ day, period }] : [];
  });
}

const SHOWN_DAYS = 3;

const Meal: FC<{ page: PageContext; meal: TakeoutMeal; takeout: TakeoutAsked }> = (props) => {
  const { page, takeout } = props;
  const { day, period } = props.meal;
  const { restaurant, date } = day;
  const key = restaurantKey(restaurant);
  const name = placedName(page, restaurant);
  return (
    <section class="period" aria-labelledby={`at-${key}`}>
      <h2 id={`at-${key}`}>
        <a
          href={linkTo(page, dayPath(restaurant, date), viewQuery('takeout'))}
          lang={foreignLanguage(page, name)}
        >
          {name}
        </a>
        <small>{mealLabel(page, period)}</small>
      </h2>
      <PeriodNote page={page} period={period} />
      <ul class="rows">
        {menusOf(period, 'takeout').map((menu) => (
          <TakeoutRow
            page={page}
            restaurant={restaurant}
            date={date}
            periodCode={period.code}
            menu={menu}
            picked={takeout.picked}
            prefix={`${key}~`}
          />
        ))}
      </ul>
    </section>
  );
};

/** What may be taken out at the visitor's restaurants, with one budget for all. */
export function renderTakeoutPage(page: PageContext, model: TakeoutPageModel): string {
  const { text } = page;
  const { date, days, failed, loading, takeout } = model;
  const meals = takeoutMeals(model);
  const query = date === page.today ? {} : { date: formatCompactDate(date) };
  return toDocument(
    <Layout
      page={page}
      title={`${text.takeoutTitle} | ${text.siteName}`}
      description={text.takeoutNoMine}
      path="/takeout"
      indexed={false}
      scripts={['photos.js', 'dish.js', 'takeout.js']}
      loading={loading}
    >
      <h1>{text.takeoutTitle}</h1>
      <nav class="meals takeout-days" aria-label={text.dishDays}>
        {Array.from({ length: SHOWN_DAYS }, (_, ahead) => addDays(page.today, ahead)).map((day) => (
          <a
            href={linkTo(page, '/takeout', day === page.today ? {} : { date: formatCompactDate(day) })}
            rel="nofollow"
            {...(day === date ? { 'aria-current': 'page' as const } : {})}
          >
            {relativeDay(page, day) ?? text.date(day)}
          </a>
        ))}
      </nav>
      {days.length + failed.length === 0 ? (
        <p class="note">
          {text.takeoutNoMine} <a href={linkTo(page, '/')}>{text.backHome}</a>
        </p>
      ) : (
        <TakeoutForm
          page={page}
          path="/takeout"
          query={query}
          offered={meals.map(({ day, period }) => ({
            period,
            prefix: `${restaurantKey(day.restaurant)}~`,
          }))}
          {...takeout}
        >
          <div data-live="menus">
            {meals.length + failed.length === 0 ? <p class="note">{text.takeoutNone}</p> : null}
            {meals.map((meal) => (
              <Meal page={page} meal={meal} takeout={takeout} />
            ))}
            {failed.map((favourite) => (
              <p class="note warn">{unreadFavouriteNote(page, favourite)}</p>
            ))}
          </div>
        </TakeoutForm>
      )}
    </Layout>,
  );
}
