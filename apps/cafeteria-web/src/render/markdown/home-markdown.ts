import type { Restaurant } from 'menu-client';
import { isUnread } from '../../domain/day/day-view.ts';
import type { GalleryItem } from '../../domain/dish/gallery.ts';
import { type Favourite, isRead } from '../../domain/favourite.ts';
import { isFiltering } from '../../domain/look.ts';
import type { MyMeal } from '../../domain/my-meals.ts';
import { dayPath, restaurantPath } from '../../domain/restaurant-path.ts';
import type { FirstVisitModel } from '../html/home/first-visit.tsx';
import { closedNote, type MyDayModel } from '../html/home/my-day.tsx';
import { whenName } from '../html/home/when-row.tsx';
import { nutritionLine } from '../html/menu/nutrition.tsx';
import { periodNote } from '../notes/period-note.ts';
import { emptyGallery, type GallerySources, incompleteNotes } from '../notes/unread-notes.ts';
import { commonMealLabel, linkTo, type PageContext, placesOf } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { markdownName } from './day-markdown.ts';

export function restaurantLine(page: PageContext, restaurant: Restaurant, date?: string): string {
  const place =
    restaurant.location.length === 0 ? '' : `, ${placesOf(page, restaurant).map(escapeMarkdown).join(' · ')}`;
  const path = date === undefined ? restaurantPath(restaurant) : dayPath(restaurant, date);
  const url = `${page.origin}${linkTo(page, path)}`;
  return `- [${markdownName(page, restaurant)}](${url}): ${page.text.vendors[restaurant.vendor]}${place}`;
}

function favouriteLine(page: PageContext, favourite: Favourite): string {
  if (isRead(favourite)) return restaurantLine(page, favourite);
  const { vendors, unreadRestaurant } = page.text;
  return `- ${escapeMarkdown(favourite.id)}: ${vendors[favourite.vendor]}, ${unreadRestaurant}`;
}

function galleryLine(page: PageContext, item: GalleryItem): string {
  const { restaurant, period, menu, date } = item;
  const label = commonMealLabel(page, period);
  const url = `${page.origin}${linkTo(page, dayPath(restaurant, date))}`;
  const name = menu === undefined ? (periodNote(page, period) ?? '') : `**${markdownName(page, menu)}**`;
  return `- ${escapeMarkdown(label)}: ${name} ([${markdownName(page, restaurant)}](${url}))`;
}

/** One of my restaurants with all dishes of its meal. */
function mealLines(page: PageContext, { restaurant, date, period, menus }: MyMeal): readonly string[] {
  const { text, origin } = page;
  const day = date === page.today ? '' : `${text.date(date)} `;
  const url = `${origin}${linkTo(page, dayPath(restaurant, date))}`;
  const meal = period === undefined ? '' : escapeMarkdown(commonMealLabel(page, period));
  const note = period === undefined ? text.noMenusThen : periodNote(page, period);
  return [
    `### [${markdownName(page, restaurant)}](${url}): ${day}${meal}`.replace(/: $/, ''),
    '',
    ...(note === undefined ? [] : [`> ${note}`, '']),
    ...menus.map((menu) => {
      const sides = menu.components.filter(({ name }) => name !== menu.name);
      const facts = [
        ...(menu.serving === 'take-out' ? [text.takeout] : []),
        ...(menu.soldOut ? [text.soldOut] : []),
        nutritionLine(page, menu.nutrition),
        sides.map((side) => markdownName(page, side)).join(', '),
      ];
      return `- ${[`**${markdownName(page, menu)}**`, ...facts.filter((fact) => fact !== '')].join(' · ')}`;
    }),
  ];
}

/** The beginning of home: what it is, and how to search. */
function opening(page: PageContext): string[] {
  const { text, origin } = page;
  const lines = [`# ${text.siteName}`, '', text.description, ''];
  if (page.sampleData) lines.push(`> ${text.sampleData}`, '');
  return [
    ...lines,
    `- ${text.searchButton}: \`${origin}/?q={${text.searchLabel}}\``,
    `- JSON: \`${origin}/proxy/search?q={q}\`, \`${origin}/proxy/dishes?q={q}\``,
    `- [${text.forAssistants}](${origin}/llms.txt)`,
    '',
  ];
}

const missing = (page: PageContext, incomplete: GallerySources['incomplete']): readonly string[] =>
  incompleteNotes(page, incomplete).flatMap((note) => [`> ${note}`, '']);

function finished(page: PageContext, lines: readonly string[]): string {
  return [...lines, '', page.text.allergens, ''].join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

/** Home for those who have no restaurant of their own, as Markdown. */
export function renderFirstVisitMarkdown(page: PageContext, model: FirstVisitModel): string {
  const { text } = page;
  const lines = opening(page);
  if (model.isClosed) lines.push(`> ${text.closedToday}`, '');
  const heading = model.date === page.today ? text.todaysGallery : text.galleryOf(text.date(model.date));
  lines.push(model.date === page.today ? `## ${heading} (${text.date(model.date)})` : `## ${heading}`, '');
  lines.push(...missing(page, model.incomplete));
  if (model.gallery.length === 0) lines.push(emptyGallery(page, model), '');
  lines.push(...model.gallery.map((item) => galleryLine(page, item)));
  return finished(page, lines);
}

/** What could not be read of my restaurants, apart from the meals that are shown. */
function unreadLines(page: PageContext, model: MyDayModel): readonly string[] {
  const { text } = page;
  const told = new Set([...model.meals, ...model.next].map(({ period }) => period));
  const failed = model.failed.map((each) => `- ${markdownName(page, each)}: ${text.failedPeriod}`);
  const noted = model.days.flatMap(({ restaurant, periods }) =>
    periods.flatMap((period) => {
      const note = periodNote(page, period);
      if (note === undefined || period.status === 'empty' || told.has(period)) return [];
      // The note of a meal that is not read names it.
      const meal = isUnread(period) ? '' : ` ${escapeMarkdown(commonMealLabel(page, period))}`;
      return [`- ${markdownName(page, restaurant)}${meal}: ${note}`];
    }),
  );
  return [...failed, ...noted];
}

/** Home for those who have restaurants, as Markdown: one meal at each of them. */
export function renderMyDayMarkdown(page: PageContext, model: MyDayModel): string {
  const { text } = page;
  const { chosen, moment, meals, next, closed, mine } = model;
  const lines = opening(page);
  lines.push(`## ${text.myMenus(whenName({ page, chosen, moment }))} (${text.date(chosen.date)})`, '');
  lines.push(...missing(page, model.incomplete));
  const note = closedNote(page, model);
  if (note !== undefined) lines.push(`> ${escapeMarkdown(note)}`, '');
  if (meals.length + closed.length === 0) {
    const filtered =
      isFiltering(model.look) &&
      model.days.some(({ periods }) => periods.some(({ menus }) => menus.length > 0));
    lines.push(filtered ? text.noneOfLook : emptyGallery(page, model), '');
  }
  for (const meal of meals) lines.push(...mealLines(page, meal), '');
  for (const date of new Set(next.map((meal) => meal.date))) {
    lines.push(`## ${text.date(date)}`, '');
    for (const meal of next.filter((each) => each.date === date)) lines.push(...mealLines(page, meal), '');
  }
  lines.push(`## ${text.myRestaurants}`, '', ...mine.map((each) => favouriteLine(page, each)), '');
  return finished(page, [...lines, ...unreadLines(page, model)]);
}
