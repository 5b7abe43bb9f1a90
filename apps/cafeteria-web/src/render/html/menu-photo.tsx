import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Menu, Vendor } from 'menu-client';
import { nameHtml, type PageContext } from '../page-context.ts';
import { photoPaths } from '../photo-path.ts';

export interface MenuPhotoProps {
  readonly page: PageContext;
  readonly vendor: Vendor;
  readonly menu: Menu;
  readonly eager?: boolean;
}

/**
 * The photo as a link to its large version, as text; empty where the menu has none, or none yet.
 *
 * @param name the menu's, escaped
 */
export function menuPhoto(props: MenuPhotoProps, name: string): string {
  const { page, vendor, menu, eager = false } = props;
  if (menu.photo === undefined || page.photos.stateOf(vendor, menu.photo.url)?.isThere === false) return '';
  const alt = page.text.photoOf(name).trim();
  const { 480: small, 1200: large } = photoPaths(page, vendor, menu.photo);
  const loading = eager ? 'loading="eager" fetchpriority="high"' : 'loading="lazy"';
  return `<a class="photo" href="${large}" data-lightbox="true"><img src="${small}" width="480" height="360" alt="${alt}" ${loading} decoding="async"/></a>`;
}

export const MenuPhotoBox: FC<MenuPhotoProps> = (props) =>
  raw(menuPhoto(props, nameHtml(props.page, props.menu)));
