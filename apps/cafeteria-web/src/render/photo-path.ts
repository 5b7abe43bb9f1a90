import type { MenuPhoto, Vendor } from 'menu-client';

/** Widths in pixels that photos are served at. */
export const PHOTO_WIDTHS = [480, 1200] as const;
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number];

/** Path of a photo at this site; pages never load anything from an operator. */
export function photoPath(vendor: Vendor, photo: MenuPhoto, width: PhotoWidth): string {
  return `/img/${vendor}/${width}/${Buffer.from(photo.url, 'utf8').toString('base64url')}`;
}
