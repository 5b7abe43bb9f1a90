import type { DailyMenu, MealPeriod, Menu, Nutrition } from 'menu-client';
import { addDays, seoulToday } from 'menu-client';
import { type DayView, menusOf, periodsInOrder } from '../../domain/day-view.ts';
import { formatAmount, NUTRIENTS } from '../../domain/nutrients.ts';
import { dayCalendarPath, dayFeedPath, dayPath, weekPath } from '../../domain/restaurant-path.ts';
import { seoulClock } from '../../domain/seoul-time.ts';
import { linkTo, namesOf, type PageContext } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';

/** A name with the other language's name behind it. */
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
function menuLines(page: PageContext, menu: Menu): string[] {
  const marks = [
    ...(menu.serving === 'take-out' ? [page.text.takeout] : []),
    ...(menu.soldOut ? [page.text.soldOut] : []),
  ];
  const corner = menu.corner === undefined ? '' : `${escapeMarkdown(menu.corner)}: `;
  const sides = menu.components.filter((component) => component.name !== menu.name);
  return [
    `- ${corner}**${markdownName(page, menu)}**${marks.map((mark) => ` · ${mark}`).join('')}`,
    ...(sides.length === 0
      ? []
      : [`  - ${page.text.dish}: ${sides.map((side) => markdownName(page, side)).join(', ')}`]),
    ...(menu.nutrition === undefined
      ? []
      : [`  - ${page.text.nutrition}: ${nutritionText(page, menu.nutrition)}`]),
  ];
}

/** The sentence that says where a period's menus come from or why there are none; absent when all is well. */
export function periodNote(page: PageContext, period: MealPeriod): string | undefined {
  const { text } = page;
  if (period.status === 'empty') return text.emptyPeriod;
  if (period.status === 'failed') return `${text.failedPeriod} (${period.error?.code ?? 'unknown'})`;
  if (period.status !== 'stale' || period.fetchedAt === undefined) return undefined;
  return text.staleNote(text.date(seoulToday(Date.parse(period.fetchedAt))), seoulClock(period.fetchedAt));
}

export function periodHeading(page: PageContext, period: MealPeriod): string {
  const label = page.language === 'en' ? page.text.meals[period.code] : period.label;
  const asOf =
    period.status === 'ok' && period.fetchedAt !== undefined
      ? ` (${page.text.asOf(seoulClock(period.fetchedAt))})`
      : '';
  return `## ${escapeMarkdown(label)}${asOf}`;
}

/** The day as Markdown: restaurant, then a section for each meal period, then where to go on. */
export function renderDayMarkdown(page: PageContext, day: DailyMenu, view: DayView): string {
  const { text, origin } = page;
  const { restaurant, date } = day;
  const place = [text.vendors[restaurant.vendor], ...restaurant.location.map(escapeMarkdown)].join(' · ');
  const link = (label: string, path: string): string => `- [${label}](${origin}${linkTo(page, path)})`;
  const lines = [
    `# ${markdownName(page, restaurant)}: ${text.longDate(date)}`,
    '',
    place,
    ...(page.sampleData ? ['', `> ${text.sampleData}`] : []),
    ...(view === 'gallery' ? [] : ['', text.views[view]]),
  ];
  for (const period of periodsInOrder(day)) {
    const note = periodNote(page, period);
    const menus = menusOf(period, view);
    lines.push('', periodHeading(page, period), '');
    if (note !== undefined) lines.push(`> ${note}`, '');
    if (menus.length === 0 && period.menus.length > 0) lines.push(text.noneInView);
    for (const menu of menus) lines.push(...menuLines(page, menu));
  }
  if (day.periods.length === 0) lines.push('', text.noPeriods);
  lines.push(
    '',
    '---',
    '',
    link(`${text.previousDay} ${addDays(date, -1)}`, dayPath(restaurant, addDays(date, -1))),
    link(`${text.nextDay} ${addDays(date, 1)}`, dayPath(restaurant, addDays(date, 1))),
    link(text.weekPage, weekPath(restaurant, date)),
    link(text.rss, dayFeedPath(restaurant, date)),
    link(text.calendar, dayCalendarPath(restaurant, date)),
    '',
    text.allergens,
    '',
  );
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
