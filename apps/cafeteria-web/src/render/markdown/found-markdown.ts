import type { DishMatch } from 'menu-client';
import { dishWords } from '../../domain/dish/dish-words.ts';
import { dishesOf } from '../../domain/dish/dishes-of.ts';
import { alarmPath, dayPath } from '../../domain/restaurant-path.ts';
import { type FoundModel, findsNothing, unsearched } from '../html/home/found-model.ts';
import { nutritionLine } from '../html/menu/nutrition.tsx';
import { nothingFound } from '../notes/nothing-found.ts';
import { incompleteNotes } from '../notes/unread-notes.ts';
import { commonMealLabel, linkTo, type PageContext } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { markdownName } from './day-markdown.ts';
import { restaurantLine } from './home-markdown.ts';

function dishLines(page: PageContext, match: DishMatch): readonly string[] {
  const { text, origin } = page;
  const { restaurant, menu, period, date, found } = match;
  const url = `${origin}${linkTo(page, dayPath(restaurant, date))}`;
  const sides = dishesOf(menu).filter(({ name }) => name !== menu.name);
  const facts = [
    commonMealLabel(page, period),
    ...(menu.serving === 'take-out' ? [text.takeout] : []),
    ...(menu.soldOut ? [text.soldOut] : []),
    ...(period.status === 'stale' ? [text.status.stale] : []),
    nutritionLine(page, menu.nutrition),
  ].filter((fact) => fact !== '');
  return [
    `- **${markdownName(page, menu)}**: [${markdownName(page, restaurant)}](${url}) · ${facts.join(' · ')}`,
    ...(found === 'dish'
      ? [`  - ${text.dish}: ${sides.map((side) => markdownName(page, side)).join(', ')}`]
      : []),
  ];
}

/** A section for each day. */
function byDay(page: PageContext, matches: readonly DishMatch[]): readonly string[] {
  return [...Map.groupBy(matches, ({ date }) => date)].flatMap(([date, ofDay]) => [
    '',
    `### ${page.text.longDate(date)}`,
    '',
    ...ofDay.flatMap((match) => dishLines(page, match)),
  ]);
}

function dishesSection(page: PageContext, model: FoundModel): readonly string[] {
  const { text, origin } = page;
  const { query, all, own, others, isWhole, place } = model;
  if (all.total === 0) return [];
  const dish = dishWords(query);
  const [first] = [...own, ...others];
  const alarm =
    first === undefined || dish === ''
      ? undefined
      : alarmPath('alarm.ics', dish, [`${first.restaurant.vendor}.${first.restaurant.id}`]);
  const places = model.places.map((each) => `${escapeMarkdown(each.place)} ${each.count}`).join(', ');
  return [
    `## ${text.dishTitle(escapeMarkdown(query))}`,
    '',
    ...(all.unreadDays === 0 ? [] : [`> ${text.dishUnread(all.unreadDays)}`, '']),
    ...(own.length === 0 ? [] : [text.atMine(own.length), ...byDay(page, own), '', text.elsewhere, '']),
    ...(places === '' ? [] : [`${text.placesLabel} (\`place=\`): ${places}`, '']),
    ...(isWhole
      ? [text.dishCount(all.total)]
      : [place === undefined ? text.choosePlace : text.dishMany(others.length, all.total)]),
    ...byDay(page, others),
    '',
    ...(alarm === undefined ? [] : [`- [${text.alarmTitle}](${origin}${alarm}): \`r=vendor.id\``, '']),
  ];
}

/** Restaurants and dishes that a search finds, as Markdown. */
export function renderFoundMarkdown(page: PageContext, model: FoundModel): string {
  const { text } = page;
  const { query, restaurants, incomplete, dishesFirst } = model;
  const lines = [`# ${text.searchTitle(escapeMarkdown(query))}`, ''];
  if (page.sampleData) lines.push(`> ${text.sampleData}`, '');
  lines.push(...incompleteNotes(page, incomplete).flatMap((note) => [`> ${note}`, '']));
  if (model.outside !== undefined) lines.push(`> ${text.dishOutside(text.longDate(model.outside))}`, '');
  if (findsNothing(model)) lines.push(nothingFound(page, query, unsearched(model)), '');
  const places =
    restaurants.length === 0
      ? []
      : [
          `## ${text.searchCount(restaurants.length)}`,
          '',
          ...restaurants.map((each) => restaurantLine(page, each, model.date)),
          '',
        ];
  const dishes = dishesSection(page, model);
  lines.push(...(dishesFirst ? [...dishes, ...places] : [...places, ...dishes]), text.allergens, '');
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
