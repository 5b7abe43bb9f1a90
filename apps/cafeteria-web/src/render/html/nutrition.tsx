import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Menu, Nutrition, Restaurant } from 'menu-client';
import { formatAmount, NUTRIENTS } from '../../domain/nutrients.ts';
import { menuPath } from '../../domain/restaurant-path.ts';
import { linkTo, namesOf, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';

// The columns of a dish by dish table: what people compare; the whole menu's table has all that is known.
const DISH_COLUMNS = NUTRIENTS.filter(({ key }) =>
  ['caloriesKcal', 'carbohydratesG', 'proteinG', 'fatG', 'sodiumMg'].includes(key),
);

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

// These tables are four fifths of a day page's elements: written as text they take a third of the time.

function totalsTable(page: PageContext, nutrition: Nutrition, label: string): string {
  let rows = '';
  for (const { key, unit } of NUTRIENTS) {
    const amount = nutrition[key];
    if (amount !== undefined) {
      rows += `<tr><th scope="row">${page.text.nutrients[key]}</th><td>${formatAmount(amount)} ${unit}</td></tr>`;
    }
  }
  return `<table class="facts"><caption class="quiet">${label}</caption><tbody>${rows}</tbody></table>`;
}

/** Dish by dish with the sum below; empty when the nutrition of fewer than two dishes is known. */
function dishTable(page: PageContext, menu: Menu, label: string): string {
  const known = menu.components.filter((component) => component.nutrition !== undefined);
  if (known.length < 2) return '';
  const columns = DISH_COLUMNS.filter(
    ({ key }) =>
      menu.nutrition?.[key] !== undefined || known.some(({ nutrition }) => nutrition?.[key] !== undefined),
  );
  const row = (name: string, nutrition: Nutrition | undefined): string => {
    let cells = '';
    for (const { key } of columns) {
      const amount = nutrition?.[key];
      cells += `<td>${amount === undefined ? '–' : formatAmount(amount)}</td>`;
    }
    return `<tr><th scope="row">${name}</th>${cells}</tr>`;
  };
  const heads = columns.map(
    ({ key, unit }) => `<th scope="col">${page.text.nutrients[key]} <small>${unit}</small></th>`,
  );
  const rows = known.map((component) =>
    row(escapeHtml(namesOf(page, component).primary), component.nutrition),
  );
  const foot = menu.nutrition === undefined ? '' : `<tfoot>${row(page.text.total, menu.nutrition)}</tfoot>`;
  return `<table class="dishes"><caption class="quiet">${label}</caption><thead><tr><th scope="col">${page.text.dish}</th>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody>${foot}</table>`;
}

/** What is known of the whole menu; nothing when nothing is. */
export const TotalsTable: FC<{ page: PageContext; nutrition: Nutrition | undefined; label: string }> = (
  props,
) => (props.nutrition === undefined ? null : raw(totalsTable(props.page, props.nutrition, props.label)));

/** Dish by dish; `label` is escaped already. */
export const DishTable: FC<{ page: PageContext; menu: Menu; label: string }> = ({ page, menu, label }) =>
  raw(dishTable(page, menu, label));

/** A link to what Welstory tells only of one menu at a time; the script puts its table in the link's place. */
function detailLink(page: PageContext, restaurant: Restaurant, date: string, menu: Menu): string {
  if (restaurant.vendor !== 'welstory') return '';
  const href = escapeHtml(linkTo(page, menuPath(restaurant, date, menu.id)));
  return `<p class="more"><a href="${href}" rel="nofollow" data-dishes>${page.text.byDish}</a></p>`;
}

export interface NutritionProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly menu: Menu;
}

/** What is known of a menu's nutrition, folded away under its energy, as text; empty when nothing is known. */
export function nutritionDisclosure({ page, restaurant, date, menu }: NutritionProps): string {
  const { text } = page;
  const name = escapeHtml(namesOf(page, menu).primary);
  const label = escapeHtml(text.nutritionOf(namesOf(page, menu).primary));
  const dishes = dishTable(page, menu, label);
  if (menu.nutrition === undefined && dishes === '') return '';
  const totals = menu.nutrition === undefined ? '' : totalsTable(page, menu.nutrition, label);
  const more = dishes === '' ? detailLink(page, restaurant, date, menu) : '';
  const line = nutritionLine(page, menu.nutrition);
  const energy = line === '' ? '' : `<span class="energy">${line}</span> `;
  return `<details class="nutrition"><summary><span class="quiet">${name} </span>${energy}<span class="unfold">${text.nutrition}</span></summary><div class="scroll" tabindex="0" role="region" aria-label="${label}">${totals}${dishes}</div>${more}</details>`;
}

export const NutritionDisclosure: FC<NutritionProps> = (props) => raw(nutritionDisclosure(props));
