import { formatCompactDate, type Menu, type MenuPhoto, type Restaurant, type Vendor } from 'menu-client';
import type { PhotoWidth } from '../photos/photo-variant.ts';
import type { PageContext } from './page-context.ts';

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

const versioned = (path: string, version: string | undefined): string =>
  version === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}v=${version}`;

/** Paths of a photo for this site's pages, which never load anything from an operator; with its version where it is known. */
export function photoPaths(
  { photos }: PageContext,
  vendor: Vendor,
  photo: MenuPhoto,
): Readonly<Record<PhotoWidth, string>> {
  const name = base64url(photo.url);
  const { versions = {} } = photos.stateOf(vendor, photo.url) ?? {};
  return {
    480: versioned(`/img/${vendor}/480/${name}`, versions['webp-480']),
    1200: versioned(`/img/${vendor}/1200/${name}`, versions['webp-1200']),
  };
}

/**
 * Path of a menu's photo as JPEG, by the menu's id, a third as long as by the photo's address; for programs that show it
 * elsewhere.
 */
export function menuPhotoPath(
  { vendor, id }: Restaurant,
  date: string,
  menuId: string,
  width: PhotoWidth = 480,
): string {
  const path = `/img/${vendor}/${encodeURIComponent(id)}/${formatCompactDate(date)}/${encodeURIComponent(menuId)}.jpg`;
  return width === 480 ? path : `${path}?width=${width}`;
}

/** Address of a menu's photo for others, such as chats; undefined unless it is known to be there. */
export function menuPhotoUrl(
  page: PageContext,
  restaurant: Restaurant,
  date: string,
  { id, photo }: Menu,
  width: PhotoWidth = 480,
): string | undefined {
  const state = photo === undefined ? undefined : page.photos.stateOf(restaurant.vendor, photo.url);
  if (state?.isThere !== true) return undefined;
  return page.origin + versioned(menuPhotoPath(restaurant, date, id, width), state.versions[`jpeg-${width}`]);
}
