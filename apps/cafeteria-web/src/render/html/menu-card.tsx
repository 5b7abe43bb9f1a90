import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Bundle, MealCode, Menu, Restaurant } from 'menu-client';
import { foreignLanguage, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';
import { bundleDisclosure, bundleNoteHtml, pickableItems } from './bundle.tsx';
import { menuPhoto } from './menu-photo.tsx';
import { type NamedMenu, namedMenu } from './named-menu.ts';
import { nutritionDisclosure } from './nutrition.tsx';

export interface MenuItemProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly periodCode: MealCode;
  readonly menu: Menu;
  readonly eager?: boolean;
}

// Every menu of a page has these: written as text they take a fraction of the time that elements take.

function langAttribute(page: PageContext, text: string): string {
  const language = foreignLanguage(page, text);
  return language === undefined ? '' : ` lang="${language}"`;
}

function menuLabels(page: PageContext, menu: Menu): string {
  if (menu.corner === undefined && menu.serving === 'take-in' && !menu.soldOut) return '';
  const corner =
    menu.corner === undefined
      ? ''
      : `<span class="corner"${langAttribute(page, menu.corner)}>${escapeHtml(menu.corner)}</span>`;
  const takeout = menu.serving === 'take-out' ? `<span class="tag out">${page.text.takeout}</span>` : '';
  const soldOut = menu.soldOut ? `<span class="tag sold">${page.text.soldOut}</span>` : '';
  return `<p class="labels">${corner}${takeout}${soldOut}</p>`;
}

function menuSides(page: PageContext, { menu, dishes }: NamedMenu): string {
  const sides = dishes.filter((_, index) => menu.components[index]?.name !== menu.name);
  // The items of a bundle are listed in full elsewhere.
  if (sides.length === 0 || (menu.bundle?.items.length ?? 0) > 0) return '';
  const names = sides.join(', ').trim();
  return `<p class="sides"${langAttribute(page, names)}>${names}</p>`;
}

/** What a menu is: corner, name, sides. */
function menuText(page: PageContext, named: NamedMenu): string {
  const { menu, name, otherName } = named;
  const other =
    otherName === undefined
      ? ''
      : `<p class="other-name" lang="${page.language === 'ko' ? 'en' : 'ko'}">${otherName}</p>`;
  return `<div class="text">${menuLabels(page, menu)}<h3${langAttribute(page, name)}>${name}</h3>${other}${menuSides(page, named)}</div>`;
}

/** Corner and marks over a menu's name. */
export const MenuLabels: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) =>
  raw(menuLabels(page, menu));

/** Photo on top: the gallery. */
export function menuCard(item: MenuItemProps): string {
  const { page, restaurant, menu, eager = false } = item;
  const named = namedMenu(page, menu);
  const photo = menuPhoto({ page, vendor: restaurant.vendor, menu, eager }, named.name);
  return `<li class="${menu.soldOut ? 'card sold-out' : 'card'}">${photo}${menuText(page, named)}${menuFacts(item, named)}</li>`;
}

/** What a row shows: the text, a photo at its side, the nutrition below. */
export function menuRowParts(item: MenuItemProps): string {
  const { page, restaurant, menu, eager = false } = item;
  const named = namedMenu(page, menu);
  const photo = menuPhoto({ page, vendor: restaurant.vendor, menu, eager }, named.name);
  return menuText(page, named) + photo + menuFacts(item, named);
}

/** What a bundle's row shows in the takeout view: a checkbox for each of its items. */
export function bundleRowParts(item: MenuItemProps, bundle: Bundle, picked: ReadonlySet<string>): string {
  const { page, restaurant, menu, eager = false } = item;
  const named = namedMenu(page, menu);
  const photo = menuPhoto({ page, vendor: restaurant.vendor, menu, eager }, named.name);
  const items = pickableItems({ ...item, name: named.name }, picked);
  return menuText(page, named) + photo + bundleNoteHtml(page, bundle) + items;
}

function menuFacts(item: MenuItemProps, named: NamedMenu): string {
  const { page, restaurant, date, menu } = item;
  return menu.bundle === undefined
    ? nutritionDisclosure(page, restaurant, date, named)
    : bundleDisclosure({ ...item, name: named.name });
}

/** Photo at the side: the list of what is eaten there. */
export function menuRow(item: MenuItemProps): string {
  return `<li class="${item.menu.soldOut ? 'row sold-out' : 'row'}">${menuRowParts(item)}</li>`;
}
