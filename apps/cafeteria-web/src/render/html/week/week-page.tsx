import type { DailyMenu } from 'menu-client';
import { addDays, daysBetween } from 'menu-client';
import { isLoading } from '../../../domain/day/day-view.ts';
import { dayPath, monthPath, weekPath } from '../../../domain/restaurant-path.ts';
import { linkTo, type PageContext, placedName } from '../../page-context.ts';
import { toDocument } from '../frame/document.ts';
import { Icon } from '../frame/icon.tsx';
import { Layout } from '../frame/layout.tsx';
import { RestaurantHeading } from '../parts/restaurant-heading.tsx';
import { Subscriptions } from '../parts/subscriptions.tsx';
import { chosenMeal, servedDays } from './meals-of-week.ts';
import { WeekDays } from './week-days.tsx';
import { WeekTable } from './week-table.tsx';

export interface WeekPageModel {
  /** Seven days in a row. */
  readonly days: readonly DailyMenu[];
  /** The first of them. */
  readonly from: string;
  /** The code of the meal that a phone shows, as asked for; any text. */
  readonly meal: string | undefined;
  /** Now, in ms since the epoch. */
  readonly nowMs: number;
}

/** Seven days: as one table where there is room, on a phone one below the other. */
export function renderWeekPage(page: PageContext, model: WeekPageModel): string {
  const { text } = page;
  const { days, from, meal, nowMs } = model;
  const restaurant = days[0]?.restaurant;
  if (restaurant === undefined) throw new Error('a week has at least one day');
  const title = text.weekTitle(placedName(page, restaurant));
  const range = `${text.date(from)} – ${text.date(addDays(from, days.length - 1))}`;
  const step = (days: number, label: string, icon: 'back' | 'forward', key: string) => (
    <a
      class="step"
      rel="nofollow"
      href={linkTo(page, weekPath(restaurant, addDays(from, days)), meal === undefined ? {} : { meal })}
      aria-label={label}
      data-key={key}
    >
      <Icon name={icon} />
    </a>
  );
  const shown = servedDays(days);
  return toDocument(
    <Layout
      page={page}
      title={`${title} | ${text.siteName}`}
      description={`${title}: ${range}`}
      path={weekPath(restaurant, from)}
      indexed={Math.abs(daysBetween(page.today, from)) <= 14}
      scripts={['favourites.js', 'share.js', 'day.js']}
      loading={isLoading(days)}
    >
      <RestaurantHeading page={page} restaurant={restaurant} share={`${title}, ${range}`} />
      <div class="days">
        {step(-7, text.previousWeek, 'back', 'ArrowLeft')}
        <p class="date">{range}</p>
        {step(7, text.nextWeek, 'forward', 'ArrowRight')}
      </div>
      <WeekTable
        page={page}
        restaurant={restaurant}
        days={shown}
        title={title}
        caption={`${title}, ${range}`}
      />
      <WeekDays
        page={page}
        restaurant={restaurant}
        days={shown}
        from={from}
        meal={chosenMeal(shown, meal, page.today, nowMs)}
      />
      <p class="formats">
        <a href={linkTo(page, dayPath(restaurant, from))}>{text.seeDay}</a>
        <a href={linkTo(page, monthPath(restaurant, from))} rel="nofollow">
          {text.monthPage}
        </a>
      </p>
      <Subscriptions page={page} restaurant={restaurant} />
    </Layout>,
  );
}
