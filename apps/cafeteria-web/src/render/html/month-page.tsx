import type { FC } from 'hono/jsx';
import { addDays, type DailyMenu, type Menu, presentMeal, type Restaurant, weekday } from 'menu-client';
import { isLoading, menusOf } from '../../domain/day/day-view.ts';
import { monthOf } from '../../domain/day/month.ts';
import { dayPath, monthPath } from '../../domain/restaurant-path.ts';
import { foreignLanguage, linkTo, namesOf, type PageContext, placedName } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { toDocument } from './frame/document.ts';
import { Icon } from './frame/icon.tsx';
import { Layout } from './frame/layout.tsx';
import { RestaurantHeading } from './parts/restaurant-heading.tsx';

export interface MonthPageModel {
  /** Of this page, without its language. */
  readonly path: string;
  readonly restaurant: Restaurant;
  /** The first of the month, `YYYY-MM-DD`. */
  readonly first: string;
  /** The days of it that are known. */
  readonly days: readonly DailyMenu[];
  /** The first and the last day that may be asked for. */
  readonly from: string;
  readonly to: string;
}

const SHOWN_MENUS = 4;

/** What the month says of a day: the dishes of its lunch, or of its first meal, that are eaten there. */
function mainMenus(day: DailyMenu | undefined): readonly Menu[] {
  // Of another day than today the meal of the moment is lunch.
  const period = day && presentMeal(day, 0);
  return period === undefined ? [] : menusOf(period, 'take-in').slice(0, SHOWN_MENUS);
}

const Day: FC<{ page: PageContext; model: MonthPageModel; date: string }> = ({ page, model, date }) => {
  const { restaurant, days, from, to } = model;
  const menus = mainMenus(days.find((day) => day.date === date));
  const number = (
    <time datetime={date}>
      <b>{Number(date.slice(8))}</b> <span>{page.text.weekday(date)}</span>
    </time>
  );
  const kinds = [
    ...(date.endsWith('-01') ? [`starts-${(weekday(date) + 6) % 7}`] : []),
    ...(date === page.today ? ['is-today'] : []),
    ...(menus.length === 0 ? ['unknown'] : []),
  ];
  return (
    <li {...(kinds.length === 0 ? {} : { class: kinds.join(' ') })}>
      {date < from || date > to ? (
        number
      ) : (
        <a href={linkTo(page, dayPath(restaurant, date))} rel="nofollow">
          {number}
        </a>
      )}
      {menus.map((menu) => {
        const { primary } = namesOf(page, menu);
        return <p lang={foreignLanguage(page, primary)}>{primary}</p>;
      })}
    </li>
  );
};

function datesOf({ first }: MonthPageModel): readonly string[] {
  return Array.from({ length: monthOf(first).days }, (_, day) => addDays(first, day));
}

/** A month of one restaurant: the dishes of its lunches. */
export function renderMonthPage(page: PageContext, model: MonthPageModel): string {
  const { text } = page;
  const { path, restaurant, first, days, from, to } = model;
  const title = text.monthTitle(placedName(page, restaurant), text.month(first));
  const step = (date: string, label: string, icon: 'back' | 'forward', key: string, isThere: boolean) =>
    isThere ? (
      <a
        class="step"
        rel="nofollow"
        href={linkTo(page, monthPath(restaurant, date))}
        aria-label={label}
        data-key={key}
      >
        <Icon name={icon} />
      </a>
    ) : null;
  const before = addDays(first, -1);
  const after = addDays(first, monthOf(first).days);
  return toDocument(
    <Layout
      page={page}
      title={`${title} | ${text.siteName}`}
      description={text.monthHint}
      path={path}
      indexed={false}
      scripts={['favourites.js', 'share.js', 'day.js']}
      loading={isLoading(days)}
    >
      <RestaurantHeading page={page} restaurant={restaurant} share={title} />
      <div class="days">
        {step(before, text.previousMonth, 'back', 'ArrowLeft', before >= from)}
        <p class="date">{text.month(first)}</p>
        {step(after, text.nextMonth, 'forward', 'ArrowRight', after <= to)}
      </div>
      <ol class="month" data-live="month">
        {datesOf(model).map((date) => (
          <Day page={page} model={model} date={date} />
        ))}
      </ol>
      <p class="hint">{text.monthHint}</p>
    </Layout>,
  );
}

/** The days of the month that are known, a line for each. */
export function renderMonthMarkdown(page: PageContext, model: MonthPageModel): string {
  const { text, origin } = page;
  const title = text.monthTitle(placedName(page, model.restaurant), text.month(model.first));
  const lines = datesOf(model).flatMap((date) => {
    const menus = mainMenus(model.days.find((day) => day.date === date));
    const names = menus.map((menu) => escapeMarkdown(namesOf(page, menu).primary)).join(', ');
    const path = linkTo(page, dayPath(model.restaurant, date));
    return names === '' ? [] : [`- [${text.date(date)}](${origin}${path}): ${names}`];
  });
  const sample = page.sampleData ? [`> ${text.sampleData}`, ''] : [];
  return [`# ${escapeMarkdown(title)}`, '', ...sample, ...lines, '', text.monthHint, ''].join('\n');
}
