import type { Menu } from 'menu-client';

/** The dishes of a menu; of a bundle its items, where they are known. */
export function dishesOf({
  components,
  bundle,
}: Menu): readonly { readonly name: string; readonly nameEn?: string }[] {
  return bundle === undefined || bundle.items.length === 0 ? components : bundle.items;
}
