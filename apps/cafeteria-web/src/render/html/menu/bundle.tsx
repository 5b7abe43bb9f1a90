import type { FC } from 'hono/jsx';
import { type Bundle, type Choice, choicesOf, type MealCode, type Menu, type Restaurant } from 'menu-client';
import { formatAmount } from '../../../domain/dish/nutrients.ts';
import { dayPath } from '../../../domain/restaurant-path.ts';
import { bundleNote } from '../../notes/bundle-note.ts';
import { foreignLanguage, linkTo, type PageContext } from '../../page-context.ts';
import { plainLine } from '../../plain-text.ts';
import { FactsDisclosure, nutritionLine } from './nutrition.tsx';

/** A picked choice, as written in the address and the form. */
export function pickValue(periodCode: MealCode, choice: Choice): string {
  return `${periodCode}.${choice.id}`;
}

/** The choices of a bundle that are items; none when they are not known. */
export function itemChoices(menu: Menu): readonly Choice[] {
  return choicesOf([menu]).filter(({ item }) => item !== undefined);
}

const isQuiet = ({ status }: Bundle): boolean => status === 'empty' || status === 'loading';

/** A sentence about items that are old or missing. */
export const BundleNote: FC<{ page: PageContext; bundle: Bundle }> = ({ page, bundle }) => {
  const note = bundleNote(page, bundle);
  return note === undefined ? null : <p class={isQuiet(bundle) ? 'note' : 'note warn'}>{note}</p>;
};

/** The name of an item, marked when it is not in the page's language. */
export const ItemName: FC<{ page: PageContext; name: string }> = ({ page, name }) => (
  <span class="name" lang={foreignLanguage(page, name)}>
    {plainLine(name)}
  </span>
);

/** The lowest and the highest energy of a single item, e.g. `155–391 kcal · `. */
function energyRange(choices: readonly Choice[]): string {
  const known = choices.flatMap(({ nutrition }) => nutrition?.caloriesKcal ?? []);
  if (known.length === 0) return '';
  const ends = new Set([Math.min(...known), Math.max(...known)].map(formatAmount));
  return `${[...ends].join('–')} kcal · `;
}

interface BundleProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly periodCode: MealCode;
  readonly menu: Menu;
}

/** How many items there are and what energy they have, e.g. `155–391 kcal 4가지 중에 골라요`; empty without items. */
export function bundleLine(page: PageContext, menu: Menu): string {
  const choices = itemChoices(menu);
  return choices.length === 0 ? '' : energyRange(choices) + page.text.bundleChoices(choices.length);
}

/** The items of a bundle as a list, each a link that picks it. */
export const BundleItems: FC<BundleProps> = ({ page, restaurant, date, periodCode, menu }) => (
  <ul class="items">
    {itemChoices(menu).map((choice) => {
      const query = { view: 'takeout', pick: pickValue(periodCode, choice) };
      return (
        <li>
          <a
            href={`${linkTo(page, dayPath(restaurant, date), query)}#meal-${periodCode}`}
            rel="nofollow"
            aria-label={page.text.pick(plainLine(choice.name)).trim()}
          >
            <ItemName page={page} name={choice.name} />
          </a>{' '}
          <span class="energy">{nutritionLine(page, choice.nutrition)}</span>
        </li>
      );
    })}
  </ul>
);

/** The items of a bundle with their nutrition in full; nothing without items. */
export const ListedItems: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => {
  const choices = itemChoices(menu);
  return choices.length === 0 ? null : (
    <ul class="items">
      {choices.map(({ name, nutrition }) => (
        <li>
          <ItemName page={page} name={name} />
          <FactsDisclosure page={page} name={name} nutrition={nutrition} />
        </li>
      ))}
    </ul>
  );
};
