import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import {
  MAX_RESTAURANT_ID_LENGTH,
  MenuError,
  type MenuService,
  parseVendor,
  type WaitOptions,
} from 'menu-client';
import type { Favourite, UnreadFavourite } from '../../domain/favourite.ts';

/** Cookie of my restaurants: `vendor.id` joined by `~`, ids percent-encoded, in the visitor's order; written by the page's script. */
export const FAVOURITES_COOKIE = 'my';

const MAX_FAVOURITES = 12;

/** Reads the cookie. It comes from outside, so what cannot be read is left out. */
export function parseFavourites(cookie: string | undefined): readonly UnreadFavourite[] {
  const found = (cookie ?? '').split('~').flatMap((entry) => {
    const dot = entry.indexOf('.');
    const vendor = parseVendor(entry.slice(0, dot));
    const id = dot < 0 ? undefined : decode(entry.slice(dot + 1));
    return vendor === undefined || id === undefined || id === '' || id.length > MAX_RESTAURANT_ID_LENGTH
      ? []
      : [{ vendor, id }];
  });
  const unique = new Map(found.map((each) => [`${each.vendor}.${each.id}`, each]));
  return [...unique.values()].slice(0, MAX_FAVOURITES);
}

/** The restaurants of the cookie that the operators still list, or may list. */
export function favouriteRestaurants(
  service: MenuService,
  cookie: string | undefined,
  wait: WaitOptions,
): Promise<readonly Favourite[]> {
  return restaurantsNamed(service, parseFavourites(cookie), wait);
}

/** The named restaurants that the operators list; one that cannot be looked up now stays, with its id only. */
export async function restaurantsNamed(
  service: MenuService,
  named: readonly UnreadFavourite[],
  wait: WaitOptions = {},
): Promise<readonly Favourite[]> {
  const found = await Promise.all(
    named.map(async (each) => {
      try {
        return await service.restaurant(each.vendor, each.id, wait);
      } catch (error) {
        if (error instanceof MenuError && error.retryable) return each;
        throw error;
      }
    }),
  );
  return found.filter((restaurant) => restaurant !== undefined);
}

/** Counts the cookie's restaurants as wanted, without recording by whom. */
export function countFavourites(service: MenuService): MiddlewareHandler {
  return (c, next) => {
    // What a script or the service worker fetches, nobody asked for.
    if ((c.req.header('sec-fetch-dest') ?? 'document') !== 'document') return next();
    for (const { vendor, id } of parseFavourites(getCookie(c, FAVOURITES_COOKIE)))
      service.noteInterest(vendor, id);
    return next();
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
