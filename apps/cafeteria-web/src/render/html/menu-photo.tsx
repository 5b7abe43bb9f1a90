import { raw } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Menu, Vendor } from 'menu-client';
import { namesOf, type PageContext } from '../page-context.ts';
import { photoPath } from '../photo-path.ts';
import { escapeHtml } from '../plain-text.ts';
import { toText } from './document.ts';
import { Icon } from './icon.tsx';

export interface MenuPhotoProps {
  readonly page: PageContext;
  readonly vendor: Vendor;
  readonly menu: Menu;
  readonly eager?: boolean;
}

const BOWL = toText(<Icon name="bowl" />);

/** The photo as a link to its large version, or a placeholder of the same size, as text. */
export function menuPhoto({ page, vendor, menu, eager = false }: MenuPhotoProps): string {
  if (menu.photo === undefined) {
    return `<span class="photo none">${BOWL}<span class="quiet">${page.text.noPhoto}</span></span>`;
  }
  const alt = escapeHtml(page.text.photoOf(namesOf(page, menu).primary));
  const loading = eager ? 'loading="eager" fetchpriority="high"' : 'loading="lazy"';
  return `<a class="photo" href="${photoPath(vendor, menu.photo, 1200)}" data-lightbox="true"><img src="${photoPath(vendor, menu.photo, 480)}" width="480" height="360" alt="${alt}" ${loading} decoding="async"/></a>`;
}

export const MenuPhotoBox: FC<MenuPhotoProps> = (props) => raw(menuPhoto(props));
