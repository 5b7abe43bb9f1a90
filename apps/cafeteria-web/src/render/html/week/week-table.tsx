import type { FC } from 'hono/jsx';
import type { DailyMenu, Restaurant } from 'menu-client';
import { nothingRead } from '../../../domain/day/day-view.ts';
import { dayPath } from '../../../domain/restaurant-path.ts';
import { linkTo, mealLabel, type PageContext } from '../../page-context.ts';
import { mealsOf } from './meals-of-week.ts';
import { printFit } from './print-fit.ts';
import { UnreadNote } from './unread-note.tsx';
import { WeekMenus, weekLine } from './week-menus.tsx';

interface WeekTableProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly days: readonly DailyMenu[];
  readonly title: string;
  readonly caption: string;
}

/** For a wide window and for paper: a column for each day, a row for each meal. */
export const WeekTable: FC<WeekTableProps> = ({ page, restaurant, days, title, caption }) => {
  const { text } = page;
  const meals = mealsOf(days);
  const todayClass = (date: string) => (date === page.today ? { class: 'is-today' } : {});
  const cells = meals.map(({ code }) =>
    days.map(({ periods }) =>
      (periods.find((period) => period.code === code)?.menus ?? []).map((menu) =>
        weekLine(page, menu).join(' '),
      ),
    ),
  );
  return (
    <div
      class={`week-table print-${printFit(cells)}`}
      data-live="week"
      role="region"
      aria-label={title}
      tabindex={0}
    >
      <table>
        <caption class="quiet">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{text.meal}</th>
            {days.map(({ date }) => (
              <th scope="col" {...todayClass(date)}>
                <a href={linkTo(page, dayPath(restaurant, date))}>{text.date(date)}</a>
                {date === page.today ? <span class="tag now">{text.today}</span> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {meals.map((meal, row) => (
            <tr>
              <th scope="row">{mealLabel(page, meal)}</th>
              {days.map((day) => {
                const period = day.periods.find(({ code }) => code === meal.code);
                if (!nothingRead(day))
                  return (
                    <td {...todayClass(day.date)}>
                      {period === undefined ? '–' : <WeekMenus page={page} period={period} />}
                    </td>
                  );
                // A day that could not be read at all says so once, across the rows of all meals.
                return row > 0 ? null : (
                  <td rowspan={meals.length} {...todayClass(day.date)}>
                    <UnreadNote page={page} day={day} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
