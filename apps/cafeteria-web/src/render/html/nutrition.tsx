import type { FC } from 'hono/jsx';
import type { Menu, Nutrition } from 'menu-client';
import { formatAmount, NUTRIENTS } from '../../domain/nutrients.ts';
import { namesOf, type PageContext } from '../page-context.ts';

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

export const NutritionTable: FC<{ page: PageContext; nutrition: Nutrition; label: string }> = ({
  page,
  nutrition,
  label,
}) => (
  <table class="facts">
    <caption class="quiet">{label}</caption>
    <tbody>
      {NUTRIENTS.map(({ key, unit }) => {
        const amount = nutrition[key];
        return amount === undefined ? null : (
          <tr>
            <th scope="row">{page.text.nutrients[key]}</th>
            <td>{`${formatAmount(amount)} ${unit}`}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);

const DishTable: FC<{ page: PageContext; menu: Menu; label: string }> = ({ page, menu, label }) => {
  const known = menu.components.filter((component) => component.nutrition !== undefined);
  const columns = DISH_COLUMNS.filter(
    ({ key }) =>
      menu.nutrition?.[key] !== undefined || known.some(({ nutrition }) => nutrition?.[key] !== undefined),
  );
  const cells = (nutrition: Nutrition | undefined) =>
    columns.map(({ key }) => {
      const amount = nutrition?.[key];
      return <td>{amount === undefined ? '–' : formatAmount(amount)}</td>;
    });
  return (
    <table class="dishes">
      <caption class="quiet">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{page.text.dish}</th>
          {columns.map(({ key, unit }) => (
            <th scope="col">
              {page.text.nutrients[key]} <small>{unit}</small>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {known.map((component) => (
          <tr>
            <th scope="row">{namesOf(page, component).primary}</th>
            {cells(component.nutrition)}
          </tr>
        ))}
      </tbody>
      {menu.nutrition === undefined ? null : (
        <tfoot>
          <tr>
            <th scope="row">{page.text.total}</th>
            {cells(menu.nutrition)}
          </tr>
        </tfoot>
      )}
    </table>
  );
};

/** What is known of a menu's nutrition, folded away; nothing when nothing is known. */
export const NutritionDisclosure: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => {
  const byDish = menu.components.filter((component) => component.nutrition !== undefined).length > 1;
  if (menu.nutrition === undefined && !byDish) return null;
  const label = page.text.nutritionOf(namesOf(page, menu).primary);
  return (
    <details class="nutrition">
      <summary aria-label={label}>{page.text.nutrition}</summary>
      <div class="scroll" tabindex={0} role="region" aria-label={label}>
        {menu.nutrition === undefined ? null : (
          <NutritionTable page={page} nutrition={menu.nutrition} label={label} />
        )}
        {byDish ? <DishTable page={page} menu={menu} label={label} /> : null}
      </div>
    </details>
  );
};
