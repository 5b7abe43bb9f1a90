import type { Hono } from 'hono';
import type { Restaurant } from 'menu-client';
import { z } from 'zod';
import { restaurantPath } from '../domain/restaurant-path.ts';
import { BASE_HEADERS } from '../http/headers.ts';
import { problem } from '../http/problem.ts';
import { Rendering, RenderingCache } from '../http/rendering-cache.ts';
import { respond } from '../http/respond.ts';
import type { Site } from '../http/site.ts';

/** Query of `/proxy/search`. */
export const SearchQuery = z.object({
  q: z
    .string({ error: 'Send the keyword as q, such as /proxy/search?q=강남.' })
    .max(100, 'q may have at most 100 characters.')
    .meta({
      description: 'Keyword: a name, a place or initial consonants. A blank one finds nothing.',
      examples: ['강남'],
    }),
  limit: z.coerce
    .number({ error: 'limit must be a whole number from 1 to 50.' })
    .int('limit must be a whole number from 1 to 50.')
    .min(1, 'limit must be a whole number from 1 to 50.')
    .max(50, 'limit must be a whole number from 1 to 50.')
    .default(20)
    .meta({ description: 'How many restaurants at most.' }),
});

/** One restaurant as `/proxy/search` answers it. */
export const SearchItem = z
  .object({
    id: z.string().meta({ description: 'Restaurant identifier, as in the path.', examples: ['REST000007'] }),
    name: z.string().meta({ description: 'Restaurant name, text of the operator.' }),
    vendor: z.enum(['welstory', 'shinsegae']).meta({ description: 'Catering operator.' }),
    path: z.string().meta({
      description:
        "Path of the restaurant's menu page; it leads to today's menu. Append /YYYYMMDD for another day.",
      examples: ['/restaurants/welstory/REST000007/%EA%B0%95%EB%82%A8'],
    }),
    location: z
      .array(z.string())
      .meta({ description: 'Where it is, from wide to narrow, text of the operator.' }),
  })
  .meta({ id: 'SearchItem', description: 'A restaurant that was found.' });

function toItem(restaurant: Restaurant): z.infer<typeof SearchItem> {
  const { id, name, vendor, location } = restaurant;
  return { id, name, vendor, path: restaurantPath(restaurant), location: [...location] };
}

const HEADERS = {
  ...BASE_HEADERS,
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=60',
  'Access-Control-Allow-Origin': '*',
};

// What was found is kept apart from the pages: queries without end must not push them out.
const FOUND_MAX_BYTES = 8 * 1024 * 1024;

/** `/proxy/search`: restaurants as JSON. */
export function mountSearch(app: Hono, site: Site): void {
  const kept = new RenderingCache(FOUND_MAX_BYTES);
  let catalogue: readonly Restaurant[] | undefined;
  let catalogueNumber = 0;

  app.get('/proxy/search', async (c) => {
    const query = SearchQuery.safeParse(c.req.query());
    if (!query.success) {
      const detail = query.error.issues.map(({ message }) => message).join(' ');
      return problem(c, { title: 'Invalid request', status: 400, detail });
    }
    const { q, limit } = query.data;
    // The service hands out the same list until the catalogue changes.
    const restaurants = await site.service.restaurants();
    if (restaurants !== catalogue) {
      catalogue = restaurants;
      catalogueNumber += 1;
    }
    const key = `${limit} ${q}`;
    const version = String(catalogueNumber);
    const known = kept.find(key, version);
    if (known !== undefined) return respond(c, known);
    const found = await site.service.search(q, { limit });
    const make = () => new Rendering(JSON.stringify(found.map(toItem)), HEADERS, version);
    return respond(c, kept.get(key, version, site.nowMs(), make));
  });
}
