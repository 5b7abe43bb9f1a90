import type { Menu } from 'menu-client';
import { nameHtml, namesOf, type PageContext } from '../page-context.ts';
import { escapeHtml } from '../plain-text.ts';

/** A menu with its names as HTML: each is written several times but escaped only once. */
export interface NamedMenu {
  readonly menu: Menu;
  readonly name: string;
  /** The name in the other language; undefined when there is none. */
  readonly otherName: string | undefined;
  /** Names of the menu's components, in their order. */
  readonly dishes: readonly string[];
}

export function namedMenu(page: PageContext, menu: Menu): NamedMenu {
  const { primary, secondary } = namesOf(page, menu);
  return {
    menu,
    name: escapeHtml(primary),
    otherName: secondary === undefined ? undefined : escapeHtml(secondary),
    dishes: menu.components.map((component) => nameHtml(page, component)),
  };
}
