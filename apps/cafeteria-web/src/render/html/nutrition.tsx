import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Menu, Nutrition, Restaurant } from 'menu-client';
import { formatAmount, NUTRIENTS, type NutrientKey } from '../../domain/nutrients.ts';
import { menuPath } from '../../domain/restaurant-path.ts';
import { perLanguage } from '../i18n/messages.ts';
import { linkTo, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';
import { type NamedMenu, namedMenu } from './named-menu.ts';

// Columns of the dish-by-dish table: what people compare. The whole menu's table has all that is known.
const DISH_COLUMNS: readonly NutrientKey[] = [
  'caloriesKcal',
  'carbohydratesG',
  'proteinG',
  'fatG',
  'sodiumMg',
];

/** The known nutrients as a line of text, e.g. `712 kcal · 단백질 31.2 g`. */
export function nutritionLine(page: PageContext, nutrition: Nutrition | undefined): string {
  if (nutrition === undefined) return '';
  const parts: string[] = [];
  if (nutrition.caloriesKcal !== undefined) parts.push(`${formatAmount(nutrition.caloriesKcal)} kcal`);
  if (nutrition.proteinG !== undefined) {
    parts.push(`${page.text.nutrients.proteinG} ${formatAmount(nutrition.proteinG)} g`);
  }
  return parts.join(' · ');
}

// These tables make up four fifths of a day page's elements: written as text they take a third of the time.

interface NutrientHtml {
  readonly key: NutrientKey;
  /** What its row of the totals has before and after the amount. */
  readonly before: string;
  readonly after: string;
  /** The head of its column in the dish-by-dish table. */
  readonly head: string;
}

const nutrientsHtml = perLanguage((text): readonly NutrientHtml[] =>
  NUTRIENTS.map(({ key, unit }) => ({
    key,
    before: `<tr><th scope="row">${text.nutrients[key]}</th><td>`,
    after: ` ${unit}</td></tr>`,
    head: `<th scope="col">${text.nutrients[key]} <small>${unit}</small></th>`,
  })),
);

const dishColumns = perLanguage((text) =>
  nutrientsHtml(text).filter(({ key }) => DISH_COLUMNS.includes(key)),
);

/** What a table is of; empty where what is around it says so. */
const caption = (label: string): string => (label === '' ? '' : `<caption class="quiet">${label}</caption>`);

function totalsTable(page: PageContext, nutrition: Nutrition, label: string): string {
  let rows = '';
  for (const { key, before, after } of nutrientsHtml(page.text)) {
    const amount = nutrition[key];
    if (amount !== undefined) rows += before + formatAmount(amount) + after;
  }
  return `<table class="facts">${caption(label)}<tbody>${rows}</tbody></table>`;
}

function dishRow(columns: readonly NutrientHtml[], name: string, nutrition: Nutrition): string {
  let row = `<tr><th scope="row">${name}</th>`;
  for (const { key } of columns) {
    const amount = nutrition[key];
    row += amount === undefined ? '<td>–</td>' : `<td>${formatAmount(amount)}</td>`;
  }
  return `${row}</tr>`;
}

/** Dish by dish with the sum below; empty when the nutrition of fewer than two dishes is known. */
function dishTable(page: PageContext, { menu, dishes }: NamedMenu, label: string): string {
  const { components, nutrition: sum } = menu;
  if (components.filter(({ nutrition }) => nutrition !== undefined).length < 2) return '';
  const columns = dishColumns(page.text).filter(
    ({ key }) =>
      sum?.[key] !== undefined || components.some(({ nutrition }) => nutrition?.[key] !== undefined),
  );
  let heads = '';
  for (const { head } of columns) heads += head;
  let rows = '';
  components.forEach(({ nutrition }, index) => {
    if (nutrition !== undefined) rows += dishRow(columns, dishes[index] ?? '', nutrition);
  });
  const foot = sum === undefined ? '' : `<tfoot>${dishRow(columns, page.text.total, sum)}</tfoot>`;
  return `<table class="dishes">${caption(label)}<thead><tr><th scope="col">${page.text.dish}</th>${heads}</tr></thead><tbody>${rows}</tbody>${foot}</table>`;
}

/** What is known of the whole menu; empty when nothing is. */
export const TotalsTable: FC<{ page: PageContext; nutrition: Nutrition | undefined; label: string }> = (
  props,
) => (props.nutrition === undefined ? null : raw(totalsTable(props.page, props.nutrition, props.label)));

/** Dish by dish; `label` is escaped already. */
export const DishTable: FC<{ page: PageContext; menu: Menu; label: string }> = ({ page, menu, label }) =>
  raw(dishTable(page, namedMenu(page, menu), label));

/** A link to the details that Welstory gives for one menu at a time; the script replaces the link with their table. */
function detailLink(page: PageContext, restaurant: Restaurant, date: string, menu: Menu): string {
  if (restaurant.vendor !== 'welstory') return '';
  const href = escapeHtml(linkTo(page, menuPath(restaurant, date, menu.id)));
  return `<p class="more"><a href="${href}" rel="nofollow" data-dishes>${page.text.byDish}</a></p>`;
}

interface MenuFacts {
  readonly tables: string;
  /** A link to what is known dish by dish; empty when the tables have it. */
  readonly more: string;
}

/** All that is known of a menu's nutrition; undefined when nothing is. */
function factsOf(
  page: PageContext,
  restaurant: Restaurant,
  date: string,
  named: NamedMenu,
  label: string,
): MenuFacts | undefined {
  const { menu } = named;
  const dishes = dishTable(page, named, label);
  if (menu.nutrition === undefined && dishes === '') return undefined;
  const totals = menu.nutrition === undefined ? '' : totalsTable(page, menu.nutrition, label);
  return { tables: totals + dishes, more: dishes === '' ? detailLink(page, restaurant, date, menu) : '' };
}

/** What is known of a menu's nutrition, as text; empty when nothing is known. `more`: its page has it dish by dish. */
export function nutritionFacts(
  page: PageContext,
  restaurant: Restaurant,
  date: string,
  named: NamedMenu,
): { readonly html: string; readonly more: boolean } {
  // The dialog is named after the dish.
  const facts = factsOf(page, restaurant, date, named, '');
  return facts === undefined
    ? { html: '', more: false }
    : { html: scrolling(page.text.nutrition, facts.tables), more: facts.more !== '' };
}

/** What is known of a menu's nutrition, folded away under its energy, as text; empty when nothing is known. */
export function nutritionDisclosure(
  page: PageContext,
  restaurant: Restaurant,
  date: string,
  named: NamedMenu,
): string {
  const facts = factsOf(page, restaurant, date, named, page.text.nutritionOf(named.name).trim());
  return facts === undefined
    ? ''
    : foldedFacts(page, named.name, named.menu.nutrition, facts.tables, facts.more);
}

function scrolling(label: string, tables: string): string {
  return `<div class="scroll" tabindex="0" role="group" aria-label="${label}">${tables}</div>`;
}

/** What is known of one thing's nutrition, folded away under its energy, as text; empty when nothing is known. @param name escaped */
export function factsDisclosure(page: PageContext, name: string, nutrition: Nutrition | undefined): string {
  if (nutrition === undefined) return '';
  return foldedFacts(
    page,
    name,
    nutrition,
    totalsTable(page, nutrition, page.text.nutritionOf(name).trim()),
    '',
  );
}

function foldedFacts(
  page: PageContext,
  name: string,
  nutrition: Nutrition | undefined,
  tables: string,
  more: string,
): string {
  const { text } = page;
  const line = nutritionLine(page, nutrition);
  const energy = line === '' ? '' : `<span class="energy">${line}</span> `;
  return `<details class="nutrition"><summary><span class="quiet">${name} </span>${energy}<span class="unfold">${text.nutrition}</span></summary>${scrolling(text.nutritionOf(name).trim(), tables)}${more}</details>`;
}
