import type { Restaurant } from 'menu-client';
import { isUnread } from '../../domain/day-view.ts';
import { type Favourite, isRead } from '../../domain/favourite.ts';
import type { GalleryItem } from '../../domain/gallery.ts';
import type { MyMeal } from '../../domain/my-meals.ts';
import { dayPath, restaurantPath } from '../../domain/restaurant-path.ts';
import { nutritionLine } from '../html/nutrition.tsx';
import { nothingFound } from '../nothing-found.ts';
import { commonMealLabel, linkTo, type PageContext, placesOf } from '../page-context.ts';
import { periodNote } from '../period-note.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { emptyGallery, type GallerySources, incompleteNotes } from '../unread-notes.ts';
import { markdownName } from './day-markdown.ts';

export interface HomeMarkdownModel extends GallerySources {
  readonly query: string;
  readonly results?: readonly Restaurant[];
  readonly mine: readonly Favourite[];
  readonly failed: readonly Restaurant[];
  readonly gallery: readonly GalleryItem[];
  readonly meals: readonly MyMeal[];
}

function restaurantLine(page: PageContext, restaurant: Restaurant): string {
  const place =
    restaurant.location.length === 0 ? '' : `, ${placesOf(page, restaurant).map(escapeMarkdown).join(' · ')}`;
  const url = `${page.origin}${linkTo(page, restaurantPath(restaurant))}`;
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

/** One of my restaurants with all dishes of its current meal. */
function mealLines(page: PageContext, { restaurant, date, period, menus }: MyMeal): readonly string[] {
  const { text, origin } = page;
  const day = date === page.today ? '' : `${text.date(date)} `;
  const url = `${origin}${linkTo(page, dayPath(restaurant, date))}`;
  const meal = escapeMarkdown(commonMealLabel(page, period));
  const note = periodNote(page, period);
  return [
    `### [${markdownName(page, restaurant)}](${url}): ${day}${meal}`,
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

/** The home page as Markdown: how to search, what was found, what is served today. */
export function renderHomeMarkdown(page: PageContext, model: HomeMarkdownModel): string {
  const { text, origin } = page;
  const { results, mine, gallery, meals, days, failed, incomplete } = model;
  const missing = incompleteNotes(page, incomplete).flatMap((note) => [`> ${note}`, '']);
  const lines = [`# ${text.siteName}`, '', text.description, ''];
  if (page.sampleData) lines.push(`> ${text.sampleData}`, '');
  if (results === undefined) {
    lines.push(
      `- ${text.searchButton}: \`${origin}/?q={${text.searchLabel}}\``,
      `- JSON: \`${origin}/proxy/search?q={q}\``,
      `- ${text.dishHeading}: \`${origin}/search?q={${text.dishLabel}}\`, JSON: \`${origin}/proxy/dishes?q={q}\``,
    );
    lines.push(`- [${text.forAssistants}](${origin}/llms.txt)`, '');
  } else {
    const none = nothingFound(page, model.query, incomplete.length > 0);
    lines.push(`## ${text.searchTitle(escapeMarkdown(model.query))}`, '', ...missing);
    lines.push(...(results.length === 0 ? [none] : results.map((each) => restaurantLine(page, each))));
    const dishes = `${origin}${linkTo(page, '/search', { q: model.query })}`;
    lines.push('', `- [${text.dishSearch(escapeMarkdown(model.query))}](${dishes})`);
  }
  if (results === undefined) {
    lines.push(
      `## ${mine.length === 0 ? text.todaysGallery : text.todaysGalleryMine} (${text.date(page.today)})`,
      '',
      ...missing,
    );
    if (gallery.length + meals.length === 0) lines.push(emptyGallery(page, model), '');
    lines.push(...gallery.map((item) => galleryLine(page, item)), '');
    for (const meal of meals) lines.push(...mealLines(page, meal), '');
  }
  if (mine.length > 0)
    lines.push(`## ${text.myRestaurants}`, '', ...mine.map((each) => favouriteLine(page, each)), '');
  for (const restaurant of mine.length === 0 ? [] : failed)
    lines.push(`- ${markdownName(page, restaurant)}: ${text.failedPeriod}`);
  for (const day of mine.length === 0 ? [] : days) {
    for (const period of day.periods) {
      const note = periodNote(page, period);
      const told = meals.some((meal) => meal.period === period);
      if (note !== undefined && period.status !== 'empty' && !told) {
        // The note of a meal that is not read names it.
        const meal = isUnread(period) ? '' : ` ${escapeMarkdown(commonMealLabel(page, period))}`;
        lines.push(`- ${markdownName(page, day.restaurant)}${meal}: ${note}`);
      }
    }
  }
  lines.push('', text.allergens, '');
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
