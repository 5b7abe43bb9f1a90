import type { MealPeriod, Menu, Nutrition, Restaurant } from 'menu-client';
import { dayPath } from '../../domain/restaurant-path.ts';
import { linkTo, mealLabel, type PageContext } from '../page-context.ts';
import { escapeMarkdown } from '../plain-text.ts';
import { bundleLines, markdownName, nutritionText } from './day-markdown.ts';

export interface MenuMarkdownModel {
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly period: MealPeriod;
  readonly menu: Menu;
  readonly detailFailed: boolean;
}

/** One menu as Markdown: its nutrition, and that of each dish where it is known. */
export function renderMenuMarkdown(page: PageContext, model: MenuMarkdownModel): string {
  const { restaurant, date, period, menu, detailFailed } = model;
  const { text, origin } = page;
  const day = `${origin}${linkTo(page, dayPath(restaurant, date))}`;
  const meal = escapeMarkdown(mealLabel(page, period));
  const facts = (nutrition: Nutrition | undefined): string =>
    nutrition === undefined ? '' : `: ${nutritionText(page, nutrition)}`;
  const lines = [
    `# ${markdownName(page, menu)}`,
    '',
    `[${markdownName(page, restaurant)}, ${text.longDate(date)}](${day}), ${meal}`,
    ...(page.sampleData ? ['', `> ${text.sampleData}`] : []),
    ...(menu.soldOut ? ['', text.soldOut] : []),
    ...(detailFailed && menu.bundle === undefined ? ['', `> ${text.byDishFailed}`] : []),
    '',
    ...(menu.bundle === undefined
      ? [
          `- ${text.total}${menu.nutrition === undefined ? `: ${text.noNutrition}` : facts(menu.nutrition)}`,
          ...menu.components.map((dish) => `- ${markdownName(page, dish)}${facts(dish.nutrition)}`),
        ]
      : bundleLines(page, menu.bundle)),
    '',
    text.allergens,
    '',
  ];
  return lines.join('\n');
}
