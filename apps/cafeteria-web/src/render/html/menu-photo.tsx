import type { FC } from 'hono/jsx';
import type { Menu, Vendor } from 'menu-client';
import { namesOf, type PageContext } from '../page-context.ts';
import { photoPath } from '../photo-path.ts';
import { Icon } from './icon.tsx';

/** The photo as a link to its large version, or a placeholder of the same size. */
export const MenuPhotoBox: FC<{ page: PageContext; vendor: Vendor; menu: Menu; eager?: boolean }> = ({
  page,
  vendor,
  menu,
  eager = false,
}) => {
  if (menu.photo === undefined) {
    return (
      <span class="photo none">
        <Icon name="bowl" />
        <span class="quiet">{page.text.noPhoto}</span>
      </span>
    );
  }
  const small = photoPath(vendor, menu.photo, 480);
  return (
    <a class="photo" href={photoPath(vendor, menu.photo, 1200)} data-lightbox>
      <img
        src={small}
        width={480}
        height={360}
        alt={page.text.photoOf(namesOf(page, menu).primary)}
        loading={eager ? 'eager' : 'lazy'}
        {...(eager ? { fetchpriority: 'high' } : {})}
        decoding="async"
      />
    </a>
  );
};
