import { type Bundle, type Choice, choicesOf, type MealCode, type Menu, type Restaurant } from 'menu-client';
import { formatAmount } from '../../domain/nutrients.ts';
import { dayPath } from '../../domain/restaurant-path.ts';
import { bundleNote } from '../bundle-note.ts';
import { foreignLanguage, linkTo, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';
import { factsDisclosure, nutritionLine } from './nutrition.tsx';

// Written as text, like the menus: a bundle has a dozen items.

/** A picked choice, as written in the address and the form. */
export function pickValue(periodCode: MealCode, choice: Choice): string {
  return `${periodCode}.${choice.id}`;
}

/** The choices of a bundle that are items; none when they are not known. */
export function itemChoices(menu: Menu): readonly Choice[] {
  return choicesOf([menu]).filter(({ item }) => item !== undefined);
}

const isQuiet = ({ status }: Bundle): boolean => status === 'empty' || status === 'loading';

/** A sentence about items that are old or missing; otherwise empty. */
export function bundleNoteHtml(page: PageContext, bundle: Bundle): string {
  const note = bundleNote(page, bundle);
  if (note === undefined) return '';
  return `<p class="${isQuiet(bundle) ? 'note' : 'note warn'}">${note}</p>`;
}

/** The name of an item, marked when it is not in the page's language. */
export function itemName(page: PageContext, { name }: Choice): string {
  const language = foreignLanguage(page, name);
  return `<span class="name"${language === undefined ? '' : ` lang="${language}"`}>${escapeHtml(name)}</span>`;
}

/** The lowest and the highest energy of a single item, e.g. `155–391 kcal · `. */
function energyRange(choices: readonly Choice[]): string {
  const known = choices.flatMap(({ nutrition }) => nutrition?.caloriesKcal ?? []);
  if (known.length === 0) return '';
  const ends = new Set([Math.min(...known), Math.max(...known)].map(formatAmount));
  return `${[...ends].join('–')} kcal · `;
}

export interface BundleProps {
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

/** The items of a bundle as a list, each a link that picks it; empty without items. */
export function bundleFacts({ page, restaurant, date, periodCode, menu }: BundleProps): string {
  let lines = '';
  const choices = itemChoices(menu);
  if (choices.length === 0) return '';
  for (const choice of choices) {
    const query = { view: 'takeout', pick: pickValue(periodCode, choice) };
    const href = escapeHtml(`${linkTo(page, dayPath(restaurant, date), query)}#meal-${periodCode}`);
    const label = page.text.pick(escapeHtml(choice.name)).trim();
    lines += `<li><a href="${href}" rel="nofollow" aria-label="${label}">${itemName(page, choice)}</a> <span class="energy">${nutritionLine(page, choice.nutrition)}</span></li>`;
  }
  return `<ul class="items">${lines}</ul>`;
}

/** The items of a bundle with their nutrition in full. */
export function listedItems(page: PageContext, menu: Menu): string {
  let lines = '';
  for (const choice of itemChoices(menu)) {
    lines += `<li>${itemName(page, choice)}${factsDisclosure(page, escapeHtml(choice.name), choice.nutrition)}</li>`;
  }
  return lines === '' ? '' : `<ul class="items">${lines}</ul>`;
}
