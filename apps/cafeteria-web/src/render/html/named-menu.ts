import type { Menu } from 'menu-client';
import { nameHtml, type PageContext } from '../page-context.ts';

/** A menu with its names in the page's language, as HTML: each is written several times but escaped only once. */
export interface NamedMenu {
  readonly menu: Menu;
  readonly name: string;
  /** Names of the menu's components, in their order. */
  readonly dishes: readonly string[];
}

export function namedMenu(page: PageContext, menu: Menu): NamedMenu {
  return {
    menu,
    name: nameHtml(page, menu),
    dishes: menu.components.map((component) => nameHtml(page, component)),
  };
}
