import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import type { DailyMenu, MealPeriod } from 'menu-client';
import { dayStartMs } from 'menu-client';
import { periodNote } from '../notes/period-note.ts';
import { linkTo, namesOf, type PageContext, placedName } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { firstNames, inOrder, mealLines } from './menu-calendar.ts';

const LUNCH = '2';
const EVENT_MINUTES = 20;

interface Lunch {
  readonly day: DailyMenu;
  readonly period: MealPeriod;
}

/** The lunches that are served, or of which nothing is known yet, by date. */
export function lunchesOf(days: readonly DailyMenu[]): ReadonlyMap<string, readonly Lunch[]> {
  const lunches = days.flatMap((day) =>
    day.periods
      .filter(({ code, status }) => code === LUNCH && status !== 'empty')
      .map((period) => ({ day, period })),
  );
  return Map.groupBy(lunches, ({ day }) => day.date);
}

/** An event for each day with lunch, at a time such as `11:20` in Seoul, that rings and says what there is at each restaurant. */
export function renderLunchCalendar(page: PageContext, days: readonly DailyMenu[], at: string): string {
  const { text } = page;
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const keys = [...new Set(days.map(({ restaurant }) => `${restaurant.vendor}.${restaurant.id}`))].join('~');
  const calendar = ical({
    name: plainLine(text.lunchName(at)),
    ...(page.sampleData ? { description: text.sampleData } : {}),
    prodId: { company: page.authority, product: 'cafeteria-web', language: page.language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 3600,
  });
  for (const [date, lunches] of lunchesOf(days)) {
    const startMs = dayStartMs(date) + (hours * 60 + minutes) * 60_000;
    const names = lunches.flatMap(({ period }) => period.menus.map((menu) => namesOf(page, menu).primary));
    const nothing = lunches.some(({ period }) => period.status === 'failed')
      ? text.failedPeriod
      : text.dayLoading;
    const summary = `${text.meals[LUNCH]}: ${names.length === 0 ? nothing : firstNames(page, names)}`;
    const stamps = lunches.map(
      ({ period }) => period.changedAt ?? period.firstSeenAt ?? period.fetchedAt ?? '',
    );
    const event = calendar.createEvent({
      id: `tag:${page.authority},2026:lunch/${date}/${at}/${encodeURIComponent(keys)}`,
      // In UTC: calendar programs show it in their own zone and need no table of zones.
      start: new Date(startMs),
      end: new Date(startMs + EVENT_MINUTES * 60_000),
      // The time of the last change, so that the same data gives the same bytes; it is never ahead of now.
      stamp: new Date(stamps.sort().at(-1) || dayStartMs(page.today)),
      summary,
      description: lunches
        .map(({ day, period }) =>
          [
            plainLine(placedName(page, day.restaurant)),
            period.menus.length === 0 ? (periodNote(page, period) ?? '') : mealLines(page, period),
          ].join('\n'),
        )
        .join('\n\n'),
      url: page.origin + linkTo(page, '/'),
      transparency: ICalEventTransparency.TRANSPARENT,
    });
    event.createAlarm({ type: ICalAlarmType.display, trigger: 0, description: summary });
  }
  return inOrder(calendar.toString());
}
