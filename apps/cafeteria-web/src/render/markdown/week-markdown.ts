import { type DailyMenu, mealsFromNow } from 'menu-client';
import { dayPath } from '../../domain/restaurant-path.ts';
import { periodNote } from '../notes/period-note.ts';
import { linkTo, mealLabel, type PageContext } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { markdownName } from './day-markdown.ts';

/**
 * The week as Markdown: a section for each day, a line for each meal. What is present comes first, what is over last.
 *
 * @param nowMs now, in ms since the epoch
 */
export function renderWeekMarkdown(page: PageContext, days: readonly DailyMenu[], nowMs: number): string {
  const { text, origin } = page;
  const restaurant = days[0]?.restaurant;
  if (restaurant === undefined) throw new Error('a week has at least one day');
  const lines = [`# ${text.weekTitle(markdownName(page, restaurant))}`];
  if (page.sampleData) lines.push('', `> ${text.sampleData}`);
  const fromToday = [true, false].flatMap((isOver) =>
    days.filter(({ date }) => date < page.today !== isOver),
  );
  for (const day of fromToday) {
    lines.push(
      '',
      `## [${text.longDate(day.date)}](${origin}${linkTo(page, dayPath(restaurant, day.date))})`,
      '',
    );
    const { coming, over } = mealsFromNow(day, nowMs);
    for (const period of [...coming, ...over]) {
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
