import type { Menu, Nutrition } from 'menu-client';
import { formatAmount, NUTRIENTS, type NutrientKey } from '../../../domain/dish/nutrients.ts';
import { perLanguage } from '../../i18n/messages.ts';
import { namesOf, type PageContext } from '../../page-context.ts';
import { type Filling, rendered, template } from '../frame/template.ts';

// Columns of the dish-by-dish table: what people compare. The whole menu's table has all that is known.
const DISH_COLUMNS: readonly NutrientKey[] = [
  'caloriesKcal',
  'carbohydratesG',
  'proteinG',
  'fatG',
  'sodiumMg',
];

// These tables make up four fifths of a day page's elements.

const caption = template<[label: string]>((label) => <caption class="quiet">{label}</caption>);

const totalsRows = perLanguage((text) =>
  NUTRIENTS.map(({ key, unit }) => ({
    key,
    row: template<[amount: string]>((amount) => (
      <tr>
        <th scope="row">{text.nutrients[key]}</th>
        <td>
          {amount} {unit}
        </td>
      </tr>
    )),
  })),
);

const totals = template<[caption: Filling, rows: Filling]>((caption, rows) => (
  <table class="facts">
    {caption}
    <tbody>{rows}</tbody>
  </table>
));

/** By the number of columns with amounts. */
const dishRows = Array.from({ length: DISH_COLUMNS.length + 1 }, (_, columns) =>
  template<[name: string, ...amounts: string[]]>(
    (name, ...amounts) => (
      <tr>
        <th scope="row">{name}</th>
        {amounts.map((amount) => (
          <td>{amount}</td>
        ))}
      </tr>
    ),
    columns + 1,
  ),
);

const dishFoot = template<[row: Filling]>((row) => <tfoot>{row}</tfoot>);

const dishes = template<[caption: Filling, dish: string, heads: Filling, rows: Filling, foot: Filling]>(
  (caption, dish, heads, rows, foot) => (
    <table class="dishes">
      {caption}
      <thead>
        <tr>
          <th scope="col">{dish}</th>
          {heads}
        </tr>
      </thead>
      <tbody>{rows}</tbody>
      {foot}
    </table>
  ),
);

const dishColumns = perLanguage((text) =>
  NUTRIENTS.filter(({ key }) => DISH_COLUMNS.includes(key)).map(({ key, unit }) => ({
    key,
    head: rendered(
      <th scope="col">
        {text.nutrients[key]} <small>{unit}</small>
      </th>,
    ),
  })),
);

/** What a table is of; nothing where what is around it says so. */
const captionOf = (label: string): Filling => (label === '' ? null : caption(label));

/** What is known of the whole menu; nothing when nothing is. @param label empty where what is around the table says so */
export function totalsTable(page: PageContext, nutrition: Nutrition | undefined, label: string) {
  if (nutrition === undefined) return null;
  const rows = totalsRows(page.text).map(({ key, row }) => {
    const amount = nutrition[key];
    return amount === undefined ? null : row(formatAmount(amount));
  });
  return totals(captionOf(label), rows);
}

/** True when the nutrition of at least two dishes is known. */
export function comparesDishes({ components }: Menu): boolean {
  return components.filter(({ nutrition }) => nutrition !== undefined).length >= 2;
}

/** Dish by dish with the sum below; nothing when there is nothing to compare. @param label empty where what is around the table says so */
export function dishTable(page: PageContext, menu: Menu, label: string) {
  if (!comparesDishes(menu)) return null;
  const { components, nutrition: sum } = menu;
  const columns = dishColumns(page.text).filter(
    ({ key }) =>
      sum?.[key] !== undefined || components.some(({ nutrition }) => nutrition?.[key] !== undefined),
  );
  const row = (name: string, nutrition: Nutrition): Filling => {
    const amounts = columns.map(({ key }) => {
      const amount = nutrition[key];
      return amount === undefined ? '–' : formatAmount(amount);
    });
    return dishRows[columns.length]?.(name, ...amounts);
  };
  return dishes(
    captionOf(label),
    page.text.dish,
    columns.map(({ head }) => head),
    components.map((dish) =>
      dish.nutrition === undefined ? null : row(namesOf(page, dish).primary, dish.nutrition),
    ),
    sum === undefined ? null : dishFoot(row(page.text.total, sum)),
  );
}
