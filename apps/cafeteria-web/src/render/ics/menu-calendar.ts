import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import type { Bundle, DailyMenu, MealCode, MealPeriod } from 'menu-client';
import { dayStartMs, usualHours } from 'menu-client';
import { periodsInOrder } from '../../domain/day/day-view.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import { nutritionLine } from '../html/menu/nutrition.tsx';
import { bundleNote } from '../notes/bundle-note.ts';
import { periodNote } from '../notes/period-note.ts';
import { linkTo, mealLabel, namesOf, type PageContext, placesOf } from '../page-context.ts';
import { plainLine } from '../plain-text.ts';
import { periodTag } from '../rss/menu-feed.ts';

function bundleLines(page: PageContext, bundle: Bundle): string[] {
  const note = bundleNote(page, bundle);
  const items = bundle.items.map(({ name, nutrition }) =>
    [`  · ${plainLine(name)}`, nutritionLine(page, nutrition)].filter((part) => part !== '').join(', '),
  );
  return [...(note === undefined ? [] : [`  ${note}`]), ...items];
}

/** The menus of a meal, a line for each. */
export function mealLines(page: PageContext, period: MealPeriod): string {
  const lines = period.menus.map((menu) => {
    const corner = menu.corner === undefined ? '' : `${plainLine(menu.corner)}: `;
    const marks = [
      ...(menu.serving === 'take-out' ? [page.text.takeout] : []),
      ...(menu.soldOut ? [page.text.soldOut] : []),
    ];
    const line = `- ${corner}${plainLine(namesOf(page, menu).primary)}${marks.map((mark) => ` · ${mark}`).join('')}`;
    return [line, ...(menu.bundle === undefined ? [] : bundleLines(page, menu.bundle))].join('\n');
  });
  const stale = period.status === 'stale' ? [page.text.status.stale] : [];
  return [...lines, ...stale].join('\n');
}

/** The time a reminder refers to. Neither operator publishes hours, so events without a reminder last all day. */
function usualTime(date: string, code: MealCode): { readonly start: Date; readonly end: Date } {
  const { startMinute, endMinute } = usualHours(code);
  // In UTC: calendar programs show it in their own zone and need no table of zones.
  const atMinute = (minute: number): Date => new Date(dayStartMs(date) + minute * 60_000);
  return { start: atMinute(startMinute), end: atMinute(endMinute) };
}

/** Names of menus in a title: the first ones, since calendars cut long titles. */
const TITLE_NAMES = 3;

/** The first names, and how many more there are: `제육볶음, 돈까스 외 2`. */
export function firstNames({ text }: PageContext, names: readonly string[]): string {
  const rest = names.length - TITLE_NAMES;
  return names.slice(0, TITLE_NAMES).map(plainLine).join(', ') + (rest > 0 ? text.andOthers(rest) : '');
}

/** `제육볶음, 돈까스 외 2: R5 1식당 점심`: what is served first, since that is what people look for. */
function titleOf(page: PageContext, day: DailyMenu, period: MealPeriod, dish: string | undefined): string {
  const { text } = page;
  const label = mealLabel(page, period);
  if (period.menus.length === 0) return `${label}: ${text.status[period.status]}`;
  const served = firstNames(
    page,
    period.menus.map((menu) => namesOf(page, menu).primary),
  );
  return `${dish ?? served}: ${plainLine(namesOf(page, day.restaurant).primary)} ${label}`;
}

/** The reminders of a dish. */
export interface Alarm {
  /** As the visitor wrote it. */
  readonly dish: string;
  /** How long before each meal to remind. */
  readonly minutes: number;
}

/** RFC 5545 has a component's own properties before the components in it, and a line end after the last line. */
export function inOrder(calendar: string): string {
  const events = /BEGIN:VEVENT\r\n[^]*?END:VEVENT/g;
  const alarms = /BEGIN:VALARM\r\n[^]*?END:VALARM\r\n/g;
  const ordered = calendar.replaceAll(events, (event) => {
    const inner = event.match(alarms) ?? [];
    return event.replaceAll(alarms, '').replace(/END:VEVENT$/, () => `${inner.join('')}END:VEVENT`);
  });
  return ordered.endsWith('\r\n') ? ordered : `${ordered}\r\n`;
}

/** The days as an iCalendar file: an event for each meal that has menus, one for each that could not be read. */
export function renderCalendar(
  page: PageContext,
  days: readonly DailyMenu[],
  title: string,
  description?: string,
  /** @default none: events last all day, and are named after their menus */
  alarm?: Alarm,
): string {
  const calendar = ical({
    name: plainLine(title),
    ...(description === undefined ? {} : { description }),
    prodId: { company: page.authority, product: 'cafeteria-web', language: page.language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 3600,
  });
  for (const day of days) {
    const url = page.origin + linkTo(page, dayPath(day.restaurant, day.date));
    for (const period of periodsInOrder(day)) {
      if (period.status === 'empty') continue;
      const unread = period.menus.length === 0;
      const stamp = period.changedAt ?? period.firstSeenAt ?? period.fetchedAt ?? dayStartMs(page.today);
      const tag = periodTag(page, day, period);
      const event = calendar.createEvent({
        // Programs show each id once: the event of a dish is another one than that of the meal.
        id: alarm === undefined ? tag : `${tag}/${encodeURIComponent(alarm.dish.toWellFormed())}`,
        ...(alarm === undefined ? { start: day.date, allDay: true } : usualTime(day.date, period.code)),
        // The time of the last change, so that the same data gives the same bytes; it is never ahead of now.
        stamp: new Date(stamp),
        summary: titleOf(page, day, period, alarm?.dish),
        description: unread ? (periodNote(page, period) ?? '') : mealLines(page, period),
        location: plainLine(
          [namesOf(page, day.restaurant).primary, ...placesOf(page, day.restaurant)].join(', '),
        ),
        url,
        transparency: ICalEventTransparency.TRANSPARENT,
      });
      if (alarm !== undefined) {
        event.createAlarm({
          type: ICalAlarmType.display,
          trigger: alarm.minutes * 60,
          description: event.summary(),
        });
      }
    }
  }
  return inOrder(calendar.toString());
}
