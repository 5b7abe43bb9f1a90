import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { MealCode, Menu, Restaurant } from 'menu-client';
import { alarmKey, alarmPath, menuPath } from '../../domain/restaurant-path.ts';
import { takeoutMarks } from '../../domain/takeout/takeout-marks.ts';
import { inLanguage, linkTo, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';
import { bundleFacts, bundleLine, bundleNoteHtml } from './bundle.tsx';
import { dishHeading, langAttribute } from './dish-name.ts';
import { menuPhoto } from './menu-photo.tsx';
import { type NamedMenu, namedMenu } from './named-menu.ts';
import { nutritionFacts, nutritionLine } from './nutrition.tsx';

export interface MenuItemProps {
  readonly page: PageContext;
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly periodCode: MealCode;
  readonly menu: Menu;
  readonly eager?: boolean;
}

// Every menu of a page has these: written as text they take a fraction of the time that elements take.

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
function menuText(item: MenuItemProps, named: NamedMenu): string {
  const { page, menu } = item;
  const heading = dishHeading(page, 'h3', menu, escapeHtml, (name) => linkedName(item, name));
  return `<div class="text">${menuLabels(page, menu)}${heading}${menuSides(page, named)}</div>`;
}

/** Corner and marks over a menu's name. */
export const MenuLabels: FC<{ page: PageContext; menu: Menu }> = ({ page, menu }) =>
  raw(menuLabels(page, menu));

/** The name as a link to the menu's own page. It covers the whole card, and the script opens the same in place. */
function linkedName({ page, restaurant, date, menu }: MenuItemProps, name: string): string {
  const href = escapeHtml(linkTo(page, menuPath(restaurant, date, menu.id)));
  return `<a class="whole" href="${href}" rel="nofollow">${name}</a>`;
}

/** Where an alarm for the days of this dish, at this restaurant, is set. */
export function alarmLink({
  page,
  restaurant,
  menu,
}: Pick<MenuItemProps, 'page' | 'restaurant' | 'menu'>): string {
  const path = alarmPath('alarm', takeoutMarks(menu.name).name, [alarmKey(restaurant)]);
  return `<p class="more"><a href="${escapeHtml(inLanguage(page, path))}" rel="nofollow">${page.text.alarmTitle}</a></p>`;
}

/** The energy in a line; in a template what the script shows when the card is opened, as far as it cannot make it up. */
function menuFacts(item: MenuItemProps, named: NamedMenu): { readonly html: string; readonly more: boolean } {
  const { page, restaurant, date, menu } = item;
  const isBundle = menu.bundle !== undefined;
  const note = menu.bundle === undefined ? '' : bundleNoteHtml(page, menu.bundle);
  const line = isBundle ? bundleLine(page, menu) : nutritionLine(page, menu.nutrition);
  const facts = isBundle
    ? { html: bundleFacts(item), more: false }
    : nutritionFacts(page, restaurant, date, named);
  const template = facts.html === '' ? '' : `<template>${facts.html}</template>`;
  return {
    html: `${note}${line === '' ? '' : `<p class="energy">${line}</p>`}${template}`,
    more: facts.more,
  };
}

function menuItem(item: MenuItemProps, kind: string): string {
  const { page, restaurant, menu, eager = false } = item;
  const named = namedMenu(page, menu);
  const photo = menuPhoto({ page, vendor: restaurant.vendor, menu, eager, link: false }, named.name);
  const text = menuText(item, named);
  const facts = menuFacts(item, named);
  // Bundles have no alarm: nobody waits for all of their things.
  const opens = menu.bundle === undefined ? (facts.more ? '="more"' : '') : '="bundle"';
  return `<li class="${menu.soldOut ? `${kind} sold-out` : kind}" data-dish${opens}>${photo}${text}${facts.html}</li>`;
}

/** For a list of cards or rows of one restaurant: of these the script makes the links of an opened dish. */
export function dishListData(page: PageContext, restaurant: Restaurant): Readonly<Record<string, string>> {
  return {
    'data-alarm': inLanguage(page, `/alarm?r=${encodeURIComponent(alarmKey(restaurant))}`),
    'data-alarm-label': page.text.alarmTitle,
    'data-more-label': page.text.byDish,
  };
}

/** Photo on top: the gallery. */
export function menuCard(item: MenuItemProps): string {
  return menuItem(item, 'card');
}

/** Photo at the side: the list of what is eaten there. */
export function menuRow(item: MenuItemProps): string {
  return menuItem(item, 'row');
}
