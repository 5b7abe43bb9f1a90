import type { FC } from 'hono/jsx';
import type { DailyMenu, MealCode, Restaurant } from 'menu-client';
import { nothingRead } from '../../../domain/day/day-view.ts';
import { dayPath, weekPath } from '../../../domain/restaurant-path.ts';
import { linkTo, mealLabel, type PageContext } from '../../page-context.ts';
import { mealsOf } from './meals-of-week.ts';
import { UnreadNote } from './unread-note.tsx';
import { WeekMenus } from './week-menus.tsx';

interface WeekDaysProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly days: readonly DailyMenu[];
  /** The first day that the page was asked for. */
  readonly from: string;
  readonly meal: MealCode | undefined;
}

const Day: FC<WeekDaysProps & { day: DailyMenu }> = ({ page, restaurant, meal, day }) => {
  const { date, periods } = day;
  const period = periods.find(({ code }) => code === meal);
  return (
    <section aria-labelledby={`on-${date}`} {...(date === page.today ? { class: 'is-today' } : {})}>
      <h2 id={`on-${date}`}>
        <a href={linkTo(page, dayPath(restaurant, date)) + (period ? `#meal-${period.code}` : '')}>
          {page.text.date(date)}
        </a>
        {date === page.today ? <span class="tag now">{page.text.today}</span> : null}
      </h2>
      {nothingRead(day) ? (
        <UnreadNote page={page} day={day} />
      ) : period === undefined ? (
        <p class="none">{page.text.status.empty}</p>
      ) : (
        <WeekMenus page={page} period={period} />
      )}
    </section>
  );
};

/** For a phone: the days one below the other, of one meal. Days that are over come last. */
export const WeekDays: FC<WeekDaysProps> = (props) => {
  const { page, restaurant, days, from, meal } = props;
  const meals = mealsOf(days);
  const over = days.filter(({ date }) => date < page.today);
  const coming = days.filter(({ date }) => date >= page.today);
  const ofDay = (day: DailyMenu) => <Day {...props} day={day} />;
  return (
    <div class="week-days" data-live="week-days">
      {meals.length < 2 ? null : (
        <nav class="meals" aria-label={page.text.meal}>
          {meals.map((each) => (
            <a
              href={linkTo(page, weekPath(restaurant, from), { meal: each.code })}
              rel="nofollow"
              {...(each.code === meal ? { 'aria-current': 'page' as const } : {})}
            >
              {mealLabel(page, each)}
            </a>
          ))}
        </nav>
      )}
      {coming.map(ofDay)}
      {coming.length === 0 || over.length === 0 ? null : <p class="over">{page.text.overDays}</p>}
      {over.map(ofDay)}
    </div>
  );
};
