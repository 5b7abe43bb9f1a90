import type { BundleItem, Menu, Nutrition } from './menu.ts';

/** What one person takes at a meal: a whole menu, or one item of a bundle. */
export interface Choice {
  /** Unique within the restaurant's day: the menu's id, or that with the item's behind a slash. */
  readonly id: string;
  /** As the operator writes it, in Korean. */
  readonly name: string;
  /** English name, where the operator has one. */
  readonly nameEn?: string;
  /** Of this choice alone; absent when unknown. */
  readonly nutrition?: Nutrition;
  /** The menu that it is, or that it is taken from. */
  readonly menu: Menu;
  /** Absent where the choice is the whole menu. */
  readonly item?: BundleItem;
}

/**
 * What can be chosen from the menus, in their order, to be compared, sorted and added up. A bundle without known items is
 * one choice without nutrition: `menu.bundle` says why.
 */
export function choicesOf(menus: readonly Menu[]): readonly Choice[] {
  return menus.flatMap((menu): readonly Choice[] => {
    const items = menu.bundle?.items ?? [];
    return items.length === 0 ? [ofMenu(menu)] : items.map((item) => ofItem(menu, item));
  });
}

function ofMenu(menu: Menu): Choice {
  const { id, name, nameEn, nutrition, bundle } = menu;
  return {
    id,
    name,
    ...(nameEn === undefined ? {} : { nameEn }),
    ...(nutrition === undefined || bundle !== undefined ? {} : { nutrition }),
    menu,
  };
}

function ofItem(menu: Menu, item: BundleItem): Choice {
  const { name, nutrition } = item;
  return {
    id: `${menu.id}/${item.id}`,
    name,
    ...(nutrition === undefined ? {} : { nutrition }),
    menu,
    item,
  };
}
