import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import type { DailyMenu, MealPeriod } from 'menu-client';
import { dayStartMs } from 'menu-client';
import { periodsInOrder } from '../../domain/day-view.ts';
import { usualHours } from '../../domain/meal-clock.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import { linkTo, namesOf, type PageContext } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { periodTag } from '../rss/menu-feed.ts';

/** Times are written in UTC: calendar programs show them in their own zone and need no table of zones. */
const atMinute = (date: string, minute: number): Date => new Date(dayStartMs(date) + minute * 60_000);

function describe(page: PageContext, period: MealPeriod): string {
  const lines = period.menus.map((menu) => {
    const corner = menu.corner === undefined ? '' : `${plainLine(menu.corner)}: `;
    const marks = [
      ...(menu.serving === 'take-out' ? [page.text.takeout] : []),
      ...(menu.soldOut ? [page.text.soldOut] : []),
    ];
    return `- ${corner}${plainLine(namesOf(page, menu).primary)}${marks.map((mark) => ` · ${mark}`).join('')}`;
  });
  const stale = period.status === 'stale' ? [page.text.status.stale] : [];
  return [...lines, ...stale].join('\n');
}

/** The days as an iCalendar file: an event for each meal that has menus, one for each that could not be read. */
export function renderCalendar(
  page: PageContext,
  days: readonly DailyMenu[],
  title: string,
  description?: string,
): string {
  const calendar = ical({
    name: plainLine(title),
    ...(description === undefined ? {} : { description }),
    prodId: { company: 'rostack', product: 'cafeteria-web', language: page.language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 3600,
  });
  for (const day of days) {
    const url = page.origin + linkTo(page, dayPath(day.restaurant, day.date));
    for (const period of periodsInOrder(day)) {
      if (period.status === 'empty') continue;
      const { startMinute, endMinute } = usualHours(period.code);
      const label = page.language === 'en' ? page.text.meals[period.code] : plainLine(period.label);
      const failed = period.menus.length === 0;
      const stamp = period.changedAt ?? period.firstSeenAt ?? `${day.date}T00:00:00.000Z`;
      calendar.createEvent({
        id: periodTag(day, period),
        start: atMinute(day.date, startMinute),
        end: atMinute(day.date, endMinute),
        // The time of the last change, so that the same data gives the same bytes.
        stamp: new Date(stamp),
        summary: `${label}: ${failed ? page.text.status.failed : period.menus.map((menu) => plainLine(namesOf(page, menu).primary)).join(', ')}`,
        description: failed ? page.text.failedPeriod : describe(page, period),
        location: plainLine([namesOf(page, day.restaurant).primary, ...day.restaurant.location].join(', ')),
        url,
        transparency: ICalEventTransparency.TRANSPARENT,
      });
    }
  }
  return calendar.toString();
}
