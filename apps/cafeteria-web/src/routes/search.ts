import type { Hono } from 'hono';
import type { Restaurant } from 'menu-client';
import { z } from 'zod';
import { restaurantPath } from '../domain/restaurant-path.ts';
import { BASE_HEADERS } from '../http/headers.ts';
import { problem } from '../http/problem.ts';
import { Rendering } from '../http/rendering.ts';
import { respond } from '../http/respond.ts';
import type { Site } from '../http/site.ts';
import { validFrom } from '../http/validity.ts';

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

const ROUTE = '/proxy/search';
// The service itself looks at its restaurants when they are asked for: this keeps them from growing old unseen.
const LOOK_AGAIN_MS = 300_000;
/** A hundred syllables and a limit. */
const MAX_KEY_LENGTH = 1_000;

/** `/proxy/search`: restaurants as JSON. */
export function mountSearch(app: Hono, site: Site): void {
  app.get(ROUTE, async (c) => {
    const { pathname, search } = new URL(c.req.url);
    const key = pathname + search;
    const known = site.searches.recent(key, site.nowMs());
    if (known !== undefined) return respond(c, known.rendering);
    const query = SearchQuery.safeParse(c.req.query());
    if (!query.success) {
      const detail = query.error.issues.map(({ message }) => message).join(' ');
      return problem(c, { title: 'Invalid request', status: 400, detail });
    }
    const { q, limit } = query.data;
    const validity = validFrom(site.nowMs(), site.readings.ofRestaurants(), LOOK_AGAIN_MS);
    const found = await site.service.search(q, { limit });
    const rendering = new Rendering(JSON.stringify(found.map(toItem)), HEADERS, '', true);
    if (key.length <= MAX_KEY_LENGTH) site.searches.keep(key, { rendering, route: ROUTE, validity });
    return respond(c, rendering);
  });
}
