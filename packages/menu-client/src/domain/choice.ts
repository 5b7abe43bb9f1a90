import type { BundleItem, Menu, Nutrition } from './menu.ts';

/** What one person takes at a meal: a whole menu, or one item of a bundle. */
export interface Choice {
  /** Unique within the restaurant's day: the menu's id, or for an item `{menu id}/{item id}`. */
  readonly id: string;
  /** As the operator writes it, in Korean. */
  readonly name: string;
  /** English name, if the operator has one. */
  readonly nameEn?: string;
  /** Of this choice alone; absent when unknown. */
  readonly nutrition?: Nutrition;
  /** The menu itself, or the one that the item belongs to. */
  readonly menu: Menu;
  /** Absent when the choice is the whole menu. */
  readonly item?: BundleItem;
}

/** Less than this alone, in kcal, is a coffee or a piece of fruit. */
const SMALL_KCAL = 200;

/** True for a menu that is a meal by itself: no bundle to choose from, and no single small thing such as a coffee. */
export function isWholeMeal({ name, bundle, components, nutrition }: Menu): boolean {
  if (bundle !== undefined) return false;
  const hasSides = components.some((dish) => dish.name !== name);
  return hasSides || (nutrition?.caloriesKcal ?? SMALL_KCAL) >= SMALL_KCAL;
}

/**
 * What can be chosen from the menus, in their order, for comparing, sorting and adding up. A bundle without known items
 * is one choice without nutrition: `menu.bundle` says why.
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
