import type { FC } from 'hono/jsx';
import type { Menu, Vendor } from 'menu-client';
import { namesOf, type PageContext } from '../../page-context.ts';
import { photoPaths } from '../../photo-path.ts';
import { type Filling, template } from '../frame/template.ts';

interface MenuPhotoProps {
  readonly page: PageContext;
  readonly vendor: Vendor;
  readonly menu: Menu;
  readonly eager?: boolean;
  /** False where the photo is part of a card that is a link. @default true */
  readonly link?: boolean;
}

const eagerImage = template<[src: string, alt: string]>((src, alt) => (
  <img src={src} width={480} height={360} alt={alt} loading="eager" fetchpriority="high" decoding="async" />
));

const lazyImage = template<[src: string, alt: string]>((src, alt) => (
  <img src={src} width={480} height={360} alt={alt} loading="lazy" decoding="async" />
));

const linked = template<[large: string, image: Filling]>((large, image) => (
  <a class="photo" href={large} data-lightbox="true">
    {image}
  </a>
));

const unlinked = template<[large: string, image: Filling]>((large, image) => (
  <span class="photo" data-large={large}>
    {image}
  </span>
));

/** The photo, as a link to its large version if wanted; nothing where the menu has none, or none yet. */
export function menuPhoto({ page, vendor, menu, eager = false, link = true }: MenuPhotoProps) {
  if (menu.photo === undefined || page.photos.stateOf(vendor, menu.photo.url)?.isThere === false) return null;
  const { 480: small, 1200: large } = photoPaths(page, vendor, menu.photo);
  const alt = page.text.photoOf(namesOf(page, menu).primary).trim();
  return (link ? linked : unlinked)(large, (eager ? eagerImage : lazyImage)(small, alt));
}

export const MenuPhotoBox: FC<MenuPhotoProps> = menuPhoto;
