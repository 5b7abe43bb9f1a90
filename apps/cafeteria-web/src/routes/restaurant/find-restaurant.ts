import type { Context } from 'hono';
import {
  type MenuService,
  parseVendor,
  type Restaurant,
  restaurantSlug,
  type WaitOptions,
} from 'menu-client';
import type { Pages } from '../../answers/http/pages.ts';
import { restaurantPath } from '../../domain/restaurant-path.ts';

/** What every path of a restaurant needs to answer. */
export interface RestaurantParts {
  readonly service: MenuService;
  readonly pages: Pages;
}

type Found = { readonly restaurant: Restaurant } | { readonly answer: Response };

/**
 * The restaurant of the path, or the answer when there is none (404) or the slug differs (308 to the canonical path).
 *
 * @param rest what follows the slug in the path, from its slash on
 * @param wait how long to wait for a list of restaurants that was never read. @default as programs do
 */
export async function findRestaurant(
  c: Context,
  { service, pages }: RestaurantParts,
  rest = '',
  wait: WaitOptions = {},
): Promise<Found> {
  const vendor = parseVendor(c.req.param('vendor'));
  const restaurant = vendor && (await service.restaurant(vendor, c.req.param('id') ?? '', wait));
  if (restaurant === undefined) return { answer: await pages.sendError(c, 'restaurantNotFound') };
  if (c.req.param('slug') !== restaurantSlug(restaurant.name)) {
    return { answer: c.redirect(`${restaurantPath(restaurant)}${rest}${new URL(c.req.url).search}`, 308) };
  }
  return { restaurant };
}
