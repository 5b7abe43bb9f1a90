import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Menu, Nutrition } from 'menu-client';
import { formatAmount, NUTRIENTS } from '../../domain/nutrients.ts';
import { namesOf, type PageContext } from '../page-context.ts';
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

function dishTable(page: PageContext, menu: Menu, label: string): string {
  const known = menu.components.filter((component) => component.nutrition !== undefined);
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

/** What is known of a menu's nutrition, folded away; nothing when nothing is known. */
export const NutritionDisclosure: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => {
  const byDish = menu.components.filter((component) => component.nutrition !== undefined).length > 1;
  if (menu.nutrition === undefined && !byDish) return null;
  const label = escapeHtml(page.text.nutritionOf(namesOf(page, menu).primary));
  const totals = menu.nutrition === undefined ? '' : totalsTable(page, menu.nutrition, label);
  const dishes = byDish ? dishTable(page, menu, label) : '';
  return raw(
    `<details class="nutrition"><summary aria-label="${label}">${page.text.nutrition}</summary><div class="scroll" tabindex="0" role="region" aria-label="${label}">${totals}${dishes}</div></details>`,
  );
};
