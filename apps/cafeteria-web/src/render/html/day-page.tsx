import type { FC } from 'hono/jsx';
import type { DailyMenu, MealCode, MealPeriod, Restaurant } from 'menu-client';
import { daysBetween } from 'menu-client';
import { type DayView, hasUnread, periodsInOrder } from '../../domain/day-view.ts';
import { mealOrder } from '../../domain/meal-clock.ts';
import { dayCalendarPath, dayFeedPath, dayPath, weekPath } from '../../domain/restaurant-path.ts';
import { seoulClock } from '../../domain/seoul-time.ts';
import { linkTo, namesOf, type PageContext } from '../page-context.ts';
import { photoPath } from '../photo-path.ts';
import { DateBar, MealChips, ViewTabs, viewQuery, WeekStrip } from './day-navigation.tsx';
import { toDocument } from './document.ts';
import { Layout } from './layout.tsx';
import { PeriodSection } from './period-section.tsx';
import { RestaurantHeading } from './restaurant-heading.tsx';
import { PickBar } from './takeout.tsx';

export interface DayPageModel {
  readonly day: DailyMenu;
  readonly view: DayView;
  /** The meal of now, when the day is today. */
  readonly currentMeal: MealCode | undefined;
  /** `{meal code}.{menu id}` of what is ticked in the takeout view. */
  readonly picked: ReadonlySet<string>;
  readonly jsonLd: unknown;
}

/** Today the meals that are over come last, so that what people look for is in view first. */
function splitPeriods(model: DayPageModel): { coming: readonly MealPeriod[]; over: readonly MealPeriod[] } {
  const periods = periodsInOrder(model.day);
  const { currentMeal } = model;
  if (currentMeal === undefined) return { coming: periods, over: [] };
  const isOver = (period: MealPeriod): boolean => mealOrder(period.code) < mealOrder(currentMeal);
  return { coming: periods.filter((period) => !isOver(period)), over: periods.filter(isOver) };
}

/** True when the operator was read and says of every meal that there is none: one sentence then says it. */
function nothingServed(day: DailyMenu): boolean {
  return day.periods.every(({ status }) => status === 'empty');
}

const Periods: FC<{ page: PageContext; model: DayPageModel }> = ({ page, model }) => {
  if (nothingServed(model.day)) {
    const readAt = model.day.periods.map(({ fetchedAt }) => fetchedAt ?? '').sort()[0] ?? '';
    return (
      <p class="note">
        {page.text.noPeriods}{' '}
        {readAt === '' ? null : <time datetime={readAt}>({page.text.asOf(seoulClock(readAt))})</time>}
      </p>
    );
  }
  const { coming, over } = splitPeriods(model);
  const section = (period: MealPeriod, index: number) => (
    <PeriodSection
      page={page}
      restaurant={model.day.restaurant}
      date={model.day.date}
      period={period}
      view={model.view}
      current={period.code === model.currentMeal}
      picked={model.picked}
      eagerPhotos={index === 0 ? 2 : 0}
    />
  );
  return (
    <>
      {coming.map(section)}
      {over.length === 0 ? null : <p class="over">{page.text.over}</p>}
      {over.map((period) => section(period, 1))}
    </>
  );
};

const Formats: FC<{ page: PageContext; restaurant: Restaurant; date: string }> = ({
  page,
  restaurant,
  date,
}) => (
  <nav class="formats" aria-label={page.text.feeds}>
    <a href={dayFeedPath(restaurant, date)}>{page.text.rss}</a>
    <a href={dayCalendarPath(restaurant, date)}>{page.text.calendar}</a>
  </nav>
);

/** Names of the first menus, for descriptions and previews. */
export function firstMenuNames(page: PageContext, day: DailyMenu): string {
  const menus = day.periods.flatMap((period) => period.menus).slice(0, 5);
  if (menus.length === 0) return hasUnread([day]) ? page.text.failedPeriod : page.text.noPeriods;
  return menus.map((menu) => namesOf(page, menu).primary).join(', ');
}

export function renderDayPage(page: PageContext, model: DayPageModel): string {
  const { day, view, currentMeal, picked } = model;
  const { restaurant, date } = day;
  const { text } = page;
  const path = dayPath(restaurant, date);
  const name = namesOf(page, restaurant).primary;
  const firstPhoto = day.periods
    .flatMap((period) => period.menus)
    .find((menu) => menu.photo !== undefined)?.photo;
  const periods = <Periods page={page} model={model} />;
  return toDocument(
    <Layout
      page={page}
      title={`${text.dayTitle(name, text.date(date))} | ${text.siteName}`}
      description={text.dayDescription(name, text.longDate(date), firstMenuNames(page, day))}
      path={linkTo({ ...page, languageInLinks: false }, path, viewQuery(view))}
      indexed={Math.abs(daysBetween(page.today, date)) <= 14}
      {...(firstPhoto === undefined
        ? {}
        : { imageUrl: page.origin + photoPath(restaurant.vendor, firstPhoto, 1200) })}
      feeds={[{ title: text.rss, type: 'application/rss+xml', path: dayFeedPath(restaurant, date) }]}
      scripts={['favourites.js', 'photos.js', 'day.js']}
      jsonLd={model.jsonLd}
    >
      <RestaurantHeading page={page} restaurant={restaurant} />
      <DateBar page={page} restaurant={restaurant} date={date} view={view} />
      <WeekStrip page={page} restaurant={restaurant} date={date} view={view} />
      <div class="controls">
        <ViewTabs page={page} day={day} view={view} />
        <div class="jumps">
          {nothingServed(day) ? null : (
            <MealChips page={page} periods={periodsInOrder(day)} current={currentMeal} />
          )}
          <a class="to-week" href={linkTo(page, weekPath(restaurant, date))}>
            {text.weekPage}
          </a>
        </div>
      </div>
      {view === 'takeout' ? (
        <form class="takeout" action={path}>
          <p class="hint">{text.pickItems}</p>
          <input type="hidden" name="view" value="takeout" />
          {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
          {periods}
          <PickBar page={page} day={day} path={path} picked={picked} />
        </form>
      ) : (
        periods
      )}
      <Formats page={page} restaurant={restaurant} date={date} />
    </Layout>,
  );
}
