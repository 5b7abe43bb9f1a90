import type { Menu } from 'menu-client';

const placeOf = ({ serving, photo }: Menu): number =>
  (serving === 'take-out' ? 2 : 0) + (photo === undefined ? 1 : 0);

/**
 * What is eaten there, then what is taken out; in both, menus with a photo come first, since text between photos would leave
 * a gap.
 */
export function inGalleryOrder(menus: readonly Menu[]): readonly Menu[] {
  return menus.toSorted((a, b) => placeOf(a) - placeOf(b));
}
