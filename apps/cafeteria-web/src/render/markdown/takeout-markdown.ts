import { menusOf } from '../../domain/day/day-view.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import { type TakeoutPageModel, takeoutMeals } from '../html/takeout-page.tsx';
import { periodNote } from '../notes/period-note.ts';
import { unreadFavouriteNote } from '../notes/unread-notes.ts';
import { linkTo, mealLabel, type PageContext, placedName } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { menuLines } from './day-markdown.ts';

/** What may be taken out at the visitor's restaurants, a section for each. */
export function renderTakeoutMarkdown(page: PageContext, model: TakeoutPageModel): string {
  const { text, origin } = page;
  const lines = [`# ${text.takeoutTitle}: ${text.longDate(model.date)}`, ''];
  if (page.sampleData) lines.push(`> ${text.sampleData}`, '');
  const meals = takeoutMeals(model);
  if (model.days.length + model.failed.length === 0) lines.push(text.takeoutNoMine, '');
  else if (meals.length + model.failed.length === 0) lines.push(text.takeoutNone, '');
  for (const { day, period } of meals) {
    const name = escapeMarkdown(placedName(page, day.restaurant));
    const path = linkTo(page, dayPath(day.restaurant, day.date), { view: 'takeout' });
    const note = periodNote(page, period);
    lines.push(`## [${name}](${origin}${path}) ${escapeMarkdown(mealLabel(page, period))}`, '');
    if (note !== undefined) lines.push(`> ${note}`, '');
    for (const menu of menusOf(period, 'takeout')) lines.push(...menuLines(page, menu));
    lines.push('');
  }
  for (const favourite of model.failed)
    lines.push(`> ${escapeMarkdown(unreadFavouriteNote(page, favourite))}`, '');
  lines.push(text.allergens, '');
  return lines.join('\n');
}
