import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Menu, Restaurant } from 'menu-client';
import { foreignLanguage, namesOf, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';
import { MenuPhotoBox, menuPhoto } from './menu-photo.tsx';
import { NutritionDisclosure, nutritionDisclosure } from './nutrition.tsx';

export interface MenuItemProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly menu: Menu;
  readonly eager?: boolean;
}

// Every menu of a page has these: written as text they take a fraction of the time of elements.

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

function menuSides(page: PageContext, menu: Menu): string {
  const sides = menu.components.filter((component) => component.name !== menu.name);
  if (sides.length === 0) return '';
  const names = sides.map((side) => namesOf(page, side).primary).join(', ');
  return `<p class="sides"${langAttribute(page, names)}>${escapeHtml(names)}</p>`;
}

function menuText(page: PageContext, menu: Menu): string {
  const { primary, secondary } = namesOf(page, menu);
  const other =
    secondary === undefined
      ? ''
      : `<p class="other-name" lang="${page.language === 'ko' ? 'en' : 'ko'}">${escapeHtml(secondary)}</p>`;
  return `<div class="text">${menuLabels(page, menu)}<h3${langAttribute(page, primary)}>${escapeHtml(primary)}</h3>${other}${menuSides(page, menu)}</div>`;
}

/** Corner and marks over a menu's name. */
export const MenuLabels: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) =>
  raw(menuLabels(page, menu));

/** What a menu is: corner, name, sides. */
export const MenuText: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) => raw(menuText(page, menu));

/** Photo on top: the gallery. */
export const MenuCard: FC<MenuItemProps> = ({ page, restaurant, date, menu, eager = false }) =>
  raw(
    `<li class="${menu.soldOut ? 'card sold-out' : 'card'}">${menuPhoto({ page, vendor: restaurant.vendor, menu, eager })}` +
      `${menuText(page, menu)}${nutritionDisclosure({ page, restaurant, date, menu })}</li>`,
  );

/** Photo at the side: lists of one serving. */
export const MenuRow: FC<MenuItemProps> = ({ page, restaurant, date, menu, eager = false }) => (
  <li class={menu.soldOut ? 'row sold-out' : 'row'}>
    <MenuText page={page} menu={menu} />
    {menu.photo === undefined ? null : (
      <MenuPhotoBox page={page} vendor={restaurant.vendor} menu={menu} eager={eager} />
    )}
    <NutritionDisclosure page={page} restaurant={restaurant} date={date} menu={menu} />
  </li>
);
