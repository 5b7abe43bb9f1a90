import type { Restaurant } from 'menu-client';
import { dayPath } from '../../domain/restaurant-path.ts';

/** Home and the page of each restaurant for the date, at most the 50,000 addresses that the protocol allows. @see https://www.sitemaps.org/protocol.html */
export function sitemap(origin: string, restaurants: readonly Restaurant[], date: string): string {
  const entries = restaurants
    .slice(0, 49_999)
    .map(
      (restaurant) => `<url><loc>${origin}${dayPath(restaurant, date)}</loc><lastmod>${date}</lastmod></url>`,
    );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/</loc></url>${entries.join('')}</urlset>\n`;
}
