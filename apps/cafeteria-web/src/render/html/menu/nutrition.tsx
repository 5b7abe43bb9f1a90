import type { Child, FC } from 'hono/jsx';
import type { Menu, Nutrition, Restaurant } from 'menu-client';
import { formatAmount } from '../../../domain/dish/nutrients.ts';
import { menuPath } from '../../../domain/restaurant-path.ts';
import { linkTo, namesOf, type PageContext } from '../../page-context.ts';
import { plainLine } from '../../plain-text.ts';
import { type Filling, template } from '../frame/template.ts';
import { comparesDishes, dishTable, totalsTable } from './nutrition-tables.tsx';

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

/** True when something is known of a menu's nutrition. */
export function isKnown(menu: Menu): boolean {
  return menu.nutrition !== undefined || comparesDishes(menu);
}

/** True when a menu's own page has its nutrition dish by dish and lists do not: Welstory gives it for one menu at a time. */
export function hasDetail({ vendor }: Restaurant, menu: Menu): boolean {
  return vendor === 'welstory' && isKnown(menu) && !comparesDishes(menu);
}

const scrolling = template<[label: string, tables: Filling]>((label, tables) => (
  <div class="scroll" tabindex={0} role="group" aria-label={label}>
    {tables}
  </div>
));

/** All that is known of a menu's nutrition, for the dialog that is named after the dish. */
export function nutritionFacts(page: PageContext, menu: Menu) {
  return scrolling(page.text.nutrition, [totalsTable(page, menu.nutrition, ''), dishTable(page, menu, '')]);
}

interface FoldedProps {
  readonly page: PageContext;
  readonly name: string;
  readonly nutrition: Nutrition | undefined;
  /** The menu that it is of, if it is of one. */
  readonly menu?: Menu;
  readonly children?: Child;
}

/** What is known, folded away under its energy, and what else there is to say. */
const Folded: FC<FoldedProps> = ({ page, name, nutrition, menu, children }) => {
  const { text } = page;
  const label = text.nutritionOf(name).trim();
  const line = nutritionLine(page, nutrition);
  return (
    <details class="nutrition">
      <summary>
        <span class="quiet">{name} </span>
        {line === '' ? null : [<span class="energy">{line}</span>, ' ']}
        <span class="unfold">{text.nutrition}</span>
      </summary>
      {scrolling(label, [
        totalsTable(page, nutrition, label),
        menu === undefined ? null : dishTable(page, menu, label),
      ])}
      {children}
    </details>
  );
};

/** What is known of one thing's nutrition, folded away under its energy; nothing when nothing is known. */
export const FactsDisclosure: FC<{ page: PageContext; name: string; nutrition: Nutrition | undefined }> = (
  props,
) => {
  const { page, name, nutrition } = props;
  return nutrition === undefined ? null : <Folded page={page} name={plainLine(name)} nutrition={nutrition} />;
};

interface DisclosureProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly menu: Menu;
}

/** The same of a menu, with a link to what its page has beyond it; the script replaces the link with the page's table. */
export const NutritionDisclosure: FC<DisclosureProps> = ({ page, restaurant, date, menu }) =>
  isKnown(menu) ? (
    <Folded page={page} name={namesOf(page, menu).primary} nutrition={menu.nutrition} menu={menu}>
      {hasDetail(restaurant, menu) ? (
        <p class="more">
          <a href={linkTo(page, menuPath(restaurant, date, menu.id))} rel="nofollow" data-dishes="">
            {page.text.byDish}
          </a>
        </p>
      ) : null}
    </Folded>
  ) : null;
