import { formatCompactDate, type MenuPhoto, type Restaurant, type Vendor } from 'menu-client';

/** Widths in pixels that photos are served at. */
export const PHOTO_WIDTHS = [480, 1200] as const;
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** Path of a photo at this site; pages never load anything from an operator. */
export function photoPath(vendor: Vendor, photo: MenuPhoto, width: PhotoWidth): string {
  return `/img/${vendor}/${width}/${base64url(photo.url)}`;
}

/** Paths of a photo at every width. */
export function photoPaths(vendor: Vendor, photo: MenuPhoto): Readonly<Record<PhotoWidth, string>> {
  const name = base64url(photo.url);
  return { 480: `/img/${vendor}/480/${name}`, 1200: `/img/${vendor}/1200/${name}` };
}

/** Path of a menu's photo by the menu's id, a third as long as by the photo's address; for programs that show it elsewhere. */
export function menuPhotoPath({ vendor, id }: Restaurant, date: string, menuId: string): string {
  return `/img/${vendor}/${encodeURIComponent(id)}/${formatCompactDate(date)}/${encodeURIComponent(menuId)}`;
}
