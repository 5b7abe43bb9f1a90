import type { Menu } from 'menu-client';

/** How operators call a corner, or a menu, from which people take something besides their meal. */
const EXTRA = /추가\s*(?:반?찬|메뉴)|곁들임|self\s*bar|셀프\s*(?:바|코너|배식)|extra/i;

/** True for what is taken besides a meal (추가찬), and is none itself. */
export function isExtraDish({ name, corner = '' }: Pick<Menu, 'name' | 'corner'>): boolean {
  return EXTRA.test(name) || EXTRA.test(corner);
}
