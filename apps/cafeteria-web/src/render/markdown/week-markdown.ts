import type { DailyMenu } from 'menu-client';
import { periodsInOrder } from '../../domain/day-view.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import { linkTo, mealLabel, type PageContext } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { markdownName, periodNote } from './day-markdown.ts';

/** The week as Markdown: a section for each day, a line for each meal. */
export function renderWeekMarkdown(page: PageContext, days: readonly DailyMenu[]): string {
  const { text, origin } = page;
  const restaurant = days[0]?.restaurant;
  if (restaurant === undefined) throw new Error('a week has at least one day');
  const lines = [`# ${text.weekTitle(markdownName(page, restaurant))}`];
  if (page.sampleData) lines.push('', `> ${text.sampleData}`);
  for (const day of days) {
    lines.push(
      '',
      `## [${text.longDate(day.date)}](${origin}${linkTo(page, dayPath(restaurant, day.date))})`,
      '',
    );
    for (const period of periodsInOrder(day)) {
      const label = escapeMarkdown(mealLabel(page, period));
      const note = periodNote(page, period);
      const menus = period.menus.map((menu) => markdownName(page, menu)).join(', ');
      lines.push(`- ${label}: ${[menus, note].filter(Boolean).join(' — ')}`);
    }
    if (day.periods.length === 0) lines.push(text.noPeriods);
  }
  lines.push('', text.allergens, '');
  return lines.join('\n');
}
