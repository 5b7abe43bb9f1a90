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
  /** False where the photo is part of a card that is a link. @default true */
  readonly link?: boolean;
}

/**
 * The photo, as a link to its large version if wanted, as text; empty where the menu has none, or none yet.
 *
 * @param name the menu's, escaped
 */
export function menuPhoto(props: MenuPhotoProps, name: string): string {
  const { page, vendor, menu, eager = false, link = true } = props;
  if (menu.photo === undefined || page.photos.stateOf(vendor, menu.photo.url)?.isThere === false) return '';
  const alt = page.text.photoOf(name).trim();
  const { 480: small, 1200: large } = photoPaths(page, vendor, menu.photo);
  const loading = eager ? 'loading="eager" fetchpriority="high"' : 'loading="lazy"';
  const image = `<img src="${small}" width="480" height="360" alt="${alt}" ${loading} decoding="async"/>`;
  return link
    ? `<a class="photo" href="${large}" data-lightbox="true">${image}</a>`
    : `<span class="photo" data-large="${large}">${image}</span>`;
}

export const MenuPhotoBox: FC<MenuPhotoProps> = (props) =>
  raw(menuPhoto(props, nameHtml(props.page, props.menu)));
