import type { Bundle, DailyMenu, MealPeriod, Menu, Nutrition } from 'menu-client';
import { addDays, mealsFromNow, presentMeal } from 'menu-client';
import { type DayView, menusOf, nothingServed, periodsInOrder } from '../../domain/day/day-view.ts';
import type { OtherDay } from '../../domain/day/other-day.ts';
import { seoulClock } from '../../domain/day/seoul-time.ts';
import { formatAmount, NUTRIENTS } from '../../domain/dish/nutrients.ts';
import { calendarPath, dayPath, feedPath, weekPath } from '../../domain/restaurant-path.ts';
import { bundleNote } from '../notes/bundle-note.ts';
import { shownChanges } from '../notes/day-changes.ts';
import { nothingServedNote } from '../notes/nothing-served-note.ts';
import { periodNote } from '../notes/period-note.ts';
import { linkTo, mealLabel, namesOf, type PageContext, placesOf } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';

/** A name followed by that in the other language. */
export function markdownName(
  page: PageContext,
  named: { readonly name: string; readonly nameEn?: string },
): string {
  const { primary, secondary } = namesOf(page, named);
  return escapeMarkdown(primary) + (secondary === undefined ? '' : ` (${escapeMarkdown(secondary)})`);
}

export function nutritionText(page: PageContext, nutrition: Nutrition): string {
  return NUTRIENTS.flatMap(({ key, unit }) => {
    const amount = nutrition[key];
    return amount === undefined ? [] : [`${page.text.nutrients[key]} ${formatAmount(amount)} ${unit}`];
  }).join(', ');
}

/** `- [corner] **name** (…) · marks`, then sides and nutrition as sub-items. */
export function menuLines(page: PageContext, menu: Menu): string[] {
  const marks = [
    ...(menu.serving === 'take-out' ? [page.text.takeout] : []),
    ...(menu.soldOut ? [page.text.soldOut] : []),
  ];
  const corner = menu.corner === undefined ? '' : `${escapeMarkdown(menu.corner)}: `;
  const { bundle } = menu;
  const isListed = bundle !== undefined && bundle.items.length > 0;
  const sides = isListed ? [] : menu.components.filter((component) => component.name !== menu.name);
  return [
    `- ${corner}**${markdownName(page, menu)}**${marks.map((mark) => ` · ${mark}`).join('')}`,
    ...(sides.length === 0
      ? []
      : [`  - ${page.text.dish}: ${sides.map((side) => markdownName(page, side)).join(', ')}`]),
    ...(menu.nutrition === undefined
      ? []
      : [`  - ${page.text.nutrition}: ${nutritionText(page, menu.nutrition)}`]),
    ...(bundle === undefined ? [] : bundleLines(page, bundle).map((line) => `  ${line}`)),
  ];
}

/** A line for each item with its own nutrition, after any note about them. */
export function bundleLines(page: PageContext, bundle: Bundle): string[] {
  const note = bundleNote(page, bundle);
  const { items } = bundle;
  return [
    ...(note === undefined ? [] : [`- ${note}`]),
    ...(items.length === 0 ? [] : [`- ${page.text.bundleChoices(items.length)}`]),
    ...items.map(
      ({ name, nutrition }) =>
        `  - ${escapeMarkdown(name)}${nutrition === undefined ? '' : `: ${nutritionText(page, nutrition)}`}`,
    ),
  ];
}

/** @param present true for the meal of the moment, which is marked */
function periodHeading(page: PageContext, period: MealPeriod, present: boolean): string {
  const label = mealLabel(page, period);
  const now = present ? ` · ${page.text.now}` : '';
  const asOf =
    period.status === 'ok' && period.fetchedAt !== undefined
      ? ` (${page.text.asOf(seoulClock(period.fetchedAt))})`
      : '';
  return `## ${escapeMarkdown(label)}${now}${asOf}`;
}

function noteLines(page: PageContext, period: MealPeriod): readonly string[] {
  const note = periodNote(page, period);
  return note === undefined ? [] : [`> ${note}`, ''];
}

/** What changed since the morning, the latest first, and an empty line; nothing when nothing did. */
function changeLines(page: PageContext, period: MealPeriod): readonly string[] {
  const changes = shownChanges(page, period);
  const [latest] = changes;
  if (latest === undefined) return [];
  const each = changes.map(({ clock, kind, name }) => `> - ${clock} ${kind}: ${escapeMarkdown(name)}`);
  return [`> ${page.text.changes(changes.length, latest.clock)}`, '>', ...each, ''];
}

/**
 * The day as Markdown: restaurant, then a section for each meal, today from the present one on and those that are over
 * last, then where to go on.
 *
 * @param nowMs now, in ms since the epoch
 */
export function renderDayMarkdown(
  page: PageContext,
  day: DailyMenu,
  view: DayView,
  nowMs: number,
  other?: OtherDay,
): string {
  const { text, origin } = page;
  const { restaurant, date } = day;
  const place = [text.vendors[restaurant.vendor], ...placesOf(page, restaurant).map(escapeMarkdown)].join(
    ' · ',
  );
  const link = (label: string, path: string): string => `- [${label}](${origin}${linkTo(page, path)})`;
  const lines = [
    `# ${markdownName(page, restaurant)}: ${text.longDate(date)}`,
    '',
    place,
    ...(page.sampleData ? ['', `> ${text.sampleData}`] : []),
    ...(view === 'gallery' ? [] : ['', text.views[view]]),
  ];
  const { coming, over } = mealsFromNow(day, nowMs);
  const present = day.date === page.today ? presentMeal(day, nowMs) : undefined;
  const isClosed = nothingServed(day);
  for (const period of isClosed ? [] : [...coming, ...over]) {
    const menus = menusOf(period, view);
    lines.push('', periodHeading(page, period, period.code === present?.code), '');
    lines.push(...noteLines(page, period), ...changeLines(page, period));
    if (menus.length === 0 && period.menus.length > 0) lines.push(text.noneInView);
    for (const menu of menus) lines.push(...menuLines(page, menu));
  }
  if (isClosed) lines.push('', `> ${nothingServedNote(page, day)}`);
  if (other !== undefined) {
    const date = text.date(other.day.date);
    const notes = {
      next: text.nextOpenDay(date),
      last: text.lastKnownDay(date),
      loading: text.nextLoading,
    };
    lines.push('', `> ${notes[other.kind]}`);
    for (const period of other.kind === 'loading' ? [] : periodsInOrder(other.day))
      lines.push(
        '',
        `## ${text.date(other.day.date)} ${escapeMarkdown(mealLabel(page, period))}`,
        '',
        ...noteLines(page, period),
        ...period.menus.flatMap((menu) => menuLines(page, menu)),
      );
  }
  lines.push(
    '',
    '---',
    '',
    link(`${text.previousDay} ${addDays(date, -1)}`, dayPath(restaurant, addDays(date, -1))),
    link(`${text.nextDay} ${addDays(date, 1)}`, dayPath(restaurant, addDays(date, 1))),
    link(text.weekPage, weekPath(restaurant, date)),
    link(text.rss, feedPath(restaurant)),
    link(text.calendar, calendarPath(restaurant)),
    '',
    text.allergens,
    '',
  );
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
