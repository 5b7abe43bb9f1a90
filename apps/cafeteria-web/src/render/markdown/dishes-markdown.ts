import type { DishList, Restaurant } from 'menu-client';
import { dishWords } from '../../domain/dish-words.ts';
import { dishesOf } from '../../domain/dishes-of.ts';
import { alarmPath, dayPath } from '../../domain/restaurant-path.ts';
import { dishCount, dishNotes } from '../dish-notes.ts';
import { nutritionLine } from '../html/nutrition.tsx';
import { commonMealLabel, linkTo, type PageContext } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { markdownName } from './day-markdown.ts';

export interface DishesMarkdownModel {
  readonly query: string;
  readonly found: DishList;
  readonly mine: readonly Restaurant[];
}

/** Where and when a dish is served, as Markdown: a section for each day. */
export function renderDishesMarkdown(page: PageContext, { query, found }: DishesMarkdownModel): string {
  const { text, origin } = page;
  const lines = [`# ${query === '' ? text.dishHeading : text.dishTitle(escapeMarkdown(query))}`, ''];
  if (page.sampleData) lines.push(`> ${text.sampleData}`, '');
  if (query === '') lines.push(`${text.dishHint} \`${origin}/search?q={${text.dishLabel}}\``, '');
  else {
    for (const note of dishNotes(page, found)) lines.push(`> ${note}`, '');
    lines.push(dishCount(page, found));
    if (found.total === 0) {
      const home = `${origin}${linkTo(page, '/', { q: query })}`;
      lines.push('', `- [${text.placeSearch(escapeMarkdown(query))}](${home})`);
    }
  }
  let date = '';
  for (const match of found.matches) {
    const { restaurant, menu, period } = match;
    if (match.date !== date) lines.push('', `## ${text.longDate(match.date)}`, '');
    date = match.date;
    const url = `${origin}${linkTo(page, dayPath(restaurant, date))}`;
    const sides = dishesOf(menu).filter(({ name }) => name !== menu.name);
    const facts = [
      commonMealLabel(page, period),
      ...(menu.serving === 'take-out' ? [text.takeout] : []),
      ...(menu.soldOut ? [text.soldOut] : []),
      ...(period.status === 'stale' ? [text.status.stale] : []),
      nutritionLine(page, menu.nutrition),
    ].filter((fact) => fact !== '');
    lines.push(
      `- **${markdownName(page, menu)}**: [${markdownName(page, restaurant)}](${url}) · ${facts.join(' · ')}`,
    );
    if (match.found === 'dish')
      lines.push(`  - ${text.dish}: ${sides.map((side) => markdownName(page, side)).join(', ')}`);
  }
  const [first] = found.matches;
  if (first !== undefined) {
    const { vendor, id } = first.restaurant;
    const alarm = alarmPath('alarm.ics', dishWords(query), [`${vendor}.${id}`]);
    lines.push('', '---', '', `- [${text.alarmTitle}](${origin}${alarm}): \`r=vendor.id\``);
  }
  lines.push('', text.allergens, '');
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
