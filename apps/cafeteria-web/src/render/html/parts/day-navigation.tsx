import type { FC } from 'hono/jsx';
import type { DailyMenu, MealCode, MealPeriod, Restaurant } from 'menu-client';
import { addDays, daysBetween } from 'menu-client';
import { countMenus, DAY_VIEWS, type DayView, hasUnread, isLoading } from '../../../domain/day/day-view.ts';
import { mondayOf } from '../../../domain/day/monday-of.ts';
import { dayPath, restaurantPath } from '../../../domain/restaurant-path.ts';
import { linkTo, mealLabel, type PageContext } from '../../page-context.ts';
import { Icon } from '../frame/icon.tsx';

/** The view as a query; the gallery is the default and needs none. */
export function viewQuery(view: DayView): Readonly<Record<string, string>> {
  return view === 'gallery' ? {} : { view };
}

/** Today, tomorrow or yesterday by name; nothing for other days. */
export function relativeDay(page: PageContext, date: string): string | undefined {
  const { text } = page;
  return { '-1': text.yesterday, '0': text.today, '1': text.tomorrow }[daysBetween(page.today, date)];
}

/** Crawlers should not follow links to days far from today: the dates never end. */
function nofollow(page: PageContext, date: string): { rel?: string } {
  return Math.abs(daysBetween(page.today, date)) > 14 ? { rel: 'nofollow' } : {};
}

type DayNavigationProps = { page: PageContext; restaurant: Restaurant; date: string; view: DayView };

/** One row: the date, its week, and links to other days. */
export const DayNavigation: FC<DayNavigationProps> = (props) => {
  const { page, restaurant, date, view } = props;
  const { text } = page;
  const relative = relativeDay(page, date);
  const step = (day: string, label: string, icon: 'back' | 'forward', key: string) => (
    <a
      class="step"
      href={linkTo(page, dayPath(restaurant, day), viewQuery(view))}
      aria-label={label}
      data-key={key}
      {...nofollow(page, day)}
    >
      <Icon name={icon} />
    </a>
  );
  return (
    <div class="days">
      <p class="date">
        <time datetime={date}>{text.date(date)}</time>
        {relative === undefined ? null : <span class="tag now">{relative}</span>}
      </p>
      {step(addDays(date, -1), text.previousDay, 'back', 'ArrowLeft')}
      <WeekStrip {...props} />
      {step(addDays(date, 1), text.nextDay, 'forward', 'ArrowRight')}
      <details class="pick-date">
        <summary aria-label={text.pickDate}>
          <Icon name="calendar" />
        </summary>
        <form action={restaurantPath(restaurant)}>
          <label>
            <span class="quiet">{text.pickDate}</span>
            <input type="date" name="date" value={date} required />
          </label>
          {view === 'gallery' ? null : <input type="hidden" name="view" value={view} />}
          {page.languageInLinks ? <input type="hidden" name="lang" value={page.language} /> : null}
          <button type="submit">{text.go}</button>
        </form>
      </details>
    </div>
  );
};

/** The week, Monday to Sunday, that the date is in. */
const WeekStrip: FC<DayNavigationProps> = ({ page, restaurant, date, view }) => {
  return (
    <nav class="week-strip" aria-label={page.text.weekLabel}>
      <ol>
        {Array.from({ length: 7 }, (_, index) => addDays(mondayOf(date), index)).map((day) => (
          <li>
            <a
              href={linkTo(page, dayPath(restaurant, day), viewQuery(view))}
              {...(day === date ? { 'aria-current': 'date' as const } : {})}
              {...(day === page.today ? { class: 'today' } : {})}
              {...nofollow(page, day)}
            >
              <span>{page.text.weekday(day)}</span>{' '}
              <b>
                {day === date ? <i>{Number(day.slice(5, 7))}.</i> : null}
                {Number(day.slice(8))}
              </b>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
};

/** How many menus a view has. When a meal could not be read, no known menus does not mean none. */
const ViewCount: FC<{ page: PageContext; day: DailyMenu; view: DayView }> = ({ page, day, view }) => {
  const count = countMenus(day, view);
  if (count > 0 || !hasUnread([day])) return <small>{count}</small>;
  return <small class="unread">{page.text.status[isLoading([day]) ? 'loading' : 'failed']}</small>;
};

export const ViewTabs: FC<{ page: PageContext; day: DailyMenu; view: DayView }> = ({ page, day, view }) => (
  <nav class="views" aria-label={page.text.viewsLabel}>
    {DAY_VIEWS.map((each) => (
      <a
        href={linkTo(page, dayPath(day.restaurant, day.date), viewQuery(each))}
        {...(each === view ? { 'aria-current': 'page' as const } : {})}
      >
        {page.text.views[each]} <ViewCount page={page} day={day} view={each} />
      </a>
    ))}
  </nav>
);

/** Chips in the order of the day that jump to a meal. */
export const MealChips: FC<{
  page: PageContext;
  periods: readonly MealPeriod[];
  current: MealCode | undefined;
}> = ({ page, periods, current }) =>
  periods.length < 2 ? null : (
    <nav class="meals" aria-label={page.text.mealsLabel}>
      {periods.map((period) => (
        <a
          href={`#meal-${period.code}`}
          class={period.status}
          {...(period.code === current ? { 'aria-current': 'time' as const } : {})}
        >
          {mealLabel(page, period)}
          {period.status === 'ok' ? null : <small> {page.text.status[period.status]}</small>}
        </a>
      ))}
    </nav>
  );
