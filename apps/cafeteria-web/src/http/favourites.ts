import { VENDORS, type Vendor } from 'menu-client';

/** Cookie of my restaurants: `vendor.id` joined by `~`, ids percent-encoded, in the visitor's order; written by the page's script. */
export const FAVOURITES_COOKIE = 'my';

const MAX_FAVOURITES = 12;

/** Reads the cookie; what cannot be read is left out, since it comes from outside. */
export function parseFavourites(
  cookie: string | undefined,
): readonly { readonly vendor: Vendor; readonly id: string }[] {
  const found = (cookie ?? '').split('~').flatMap((entry) => {
    const dot = entry.indexOf('.');
    const vendor = VENDORS.find((each) => each === entry.slice(0, dot));
    const id = dot < 0 ? undefined : decode(entry.slice(dot + 1));
    return vendor === undefined || id === undefined || id === '' || id.length > 100 ? [] : [{ vendor, id }];
  });
  const unique = new Map(found.map((each) => [`${each.vendor}.${each.id}`, each]));
  return [...unique.values()].slice(0, MAX_FAVOURITES);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
