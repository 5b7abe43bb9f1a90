import type { FC } from 'hono/jsx';
import type { DailyMenu, MealPeriod } from 'menu-client';
import { addDays, daysBetween, inOrderOfDay } from 'menu-client';
import { isLoading, nothingRead } from '../../domain/day-view.ts';
import { formatAmount } from '../../domain/nutrients.ts';
import { dayPath, weekPath } from '../../domain/restaurant-path.ts';
import { foreignLanguage, linkTo, mealLabel, namesOf, type PageContext } from '../page-context.ts';
import { toDocument } from './document.ts';
import { Icon } from './icon.tsx';
import { Layout } from './layout.tsx';
import { LoadingNote } from './loading-note.tsx';
import { PeriodNote } from './period-section.tsx';
import { RestaurantHeading } from './restaurant-heading.tsx';
import { Subscriptions } from './subscriptions.tsx';

const Cell: FC<{ page: PageContext; period: MealPeriod | undefined; today: boolean }> = ({
  page,
  period,
  today,
}) => (
  <td {...(today ? { class: 'is-today' } : {})}>
    {period === undefined ? (
      '–'
    ) : (
      <>
        {period.status === 'empty' ? (
          <p class="none">{page.text.status.empty}</p>
        ) : (
          <PeriodNote page={page} period={period} />
        )}
        {period.menus.length === 0 ? null : (
          <ul>
            {period.menus.map((menu) => (
              <li lang={foreignLanguage(page, namesOf(page, menu).primary)}>
                {namesOf(page, menu).primary}
                {menu.serving === 'take-out' ? <small> {page.text.takeout}</small> : null}
                {menu.soldOut ? <small> {page.text.soldOut}</small> : null}
                {menu.nutrition?.caloriesKcal === undefined ? null : (
                  <small> {formatAmount(menu.nutrition.caloriesKcal)} kcal</small>
                )}
              </li>
            ))}
          </ul>
        )}
      </>
    )}
  </td>
);

/** A day that could not be read at all says so once, across the rows of all meals. */
const UnreadDay: FC<{ page: PageContext; day: DailyMenu; meals: number; today: boolean }> = (props) => {
  const { page, day, meals, today } = props;
  const [period] = day.periods;
  return (
    <td rowspan={meals} {...(today ? { class: 'is-today' } : {})}>
      {period?.status === 'loading' ? (
        <LoadingNote page={page}>{page.text.dayLoading}</LoadingNote>
      ) : (
        <p class="note warn">
          {page.text.failedPeriod} ({page.text.reason(period?.error?.code ?? '')})
        </p>
      )}
    </td>
  );
};

/** The meals of all days, each once, in the order of the day. */
function mealsOf(days: readonly DailyMenu[]): readonly MealPeriod[] {
  const byCode = new Map(days.flatMap((day) => day.periods.map((period) => [period.code, period] as const)));
  return inOrderOfDay([...byCode.values()]);
}

/** The most menus that fit one below the other on a printed page. */
const DENSE_LINES = 14;

/** How many menus the table has one below the other, over all meals. */
function linesOf(days: readonly DailyMenu[], meals: readonly MealPeriod[]): number {
  return meals.reduce((sum, { code }) => {
    const counts = days.map(({ periods }) => periods.find((each) => each.code === code)?.menus.length ?? 0);
    return sum + Math.max(0, ...counts);
  }, 0);
}

/** Seven days in one table: a column for each day, a row for each meal. */
export function renderWeekPage(page: PageContext, days: readonly DailyMenu[], from: string): string {
  const { text } = page;
  const restaurant = days[0]?.restaurant;
  if (restaurant === undefined) throw new Error('a week has at least one day');
  const name = namesOf(page, restaurant).primary;
  const title = text.weekTitle(name);
  const meals = mealsOf(days);
  const range = `${text.date(from)} – ${text.date(addDays(from, days.length - 1))}`;
  return toDocument(
    <Layout
      page={page}
      title={`${title} | ${text.siteName}`}
      description={`${title}: ${range}`}
      path={weekPath(restaurant, from)}
      indexed={Math.abs(daysBetween(page.today, from)) <= 14}
      scripts={['favourites.js', 'day.js']}
      loading={isLoading(days)}
    >
      <RestaurantHeading page={page} restaurant={restaurant} />
      <div class="days">
        <a
          class="step"
          rel="nofollow"
          href={linkTo(page, weekPath(restaurant, addDays(from, -7)))}
          aria-label={text.previousWeek}
          data-key="ArrowLeft"
        >
          <Icon name="back" />
        </a>
        <p class="date">{range}</p>
        <a
          class="step"
          rel="nofollow"
          href={linkTo(page, weekPath(restaurant, addDays(from, 7)))}
          aria-label={text.nextWeek}
          data-key="ArrowRight"
        >
          <Icon name="forward" />
        </a>
      </div>
      <div
        class={linesOf(days, meals) > DENSE_LINES ? 'week-table dense' : 'week-table'}
        data-live="week"
        role="region"
        aria-label={title}
        tabindex={0}
      >
        <table>
          <caption class="quiet">{`${title}, ${range}`}</caption>
          <thead>
            <tr>
              <th scope="col">{text.meal}</th>
              {days.map(({ date }) => (
                <th scope="col" {...(date === page.today ? { class: 'is-today' } : {})}>
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
                  const today = day.date === page.today;
                  const period = day.periods.find(({ code }) => code === meal.code);
                  if (!nothingRead(day)) return <Cell page={page} period={period} today={today} />;
                  return row > 0 ? null : (
                    <UnreadDay page={page} day={day} meals={meals.length} today={today} />
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="formats">
        <a href={linkTo(page, dayPath(restaurant, from))}>{text.seeDay}</a>
      </p>
      <Subscriptions page={page} restaurant={restaurant} />
    </Layout>,
  );
}
