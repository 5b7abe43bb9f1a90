import { createDocument } from 'zod-openapi';
import type { DescribedRoute } from '../../answers/openapi/described-route.ts';
import { type SiteIdentity, version } from './identity.ts';

/** OpenAPI 3.1 of the routes. */
export function openApiDocument(
  origin: string,
  { sourceUrl }: SiteIdentity,
  routes: readonly DescribedRoute[],
): object {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Cafeteria menus',
      version,
      summary: 'Find a staff cafeteria in South Korea and read its menu of a day.',
      description:
        'Search first, then ask for the menu of a date: append /YYYYMMDD to the path of a search item and send `Accept: text/markdown`. Read-only, no account. A meal that could not be read is said to be so and never shown as an empty menu.',
      license: { name: 'MIT', identifier: 'MIT' },
      ...(sourceUrl === undefined ? {} : { contact: { name: 'Source code', url: sourceUrl } }),
    },
    // A loopback address means nothing elsewhere: the server is then the one that this document came from.
    servers: [{ url: /^http:\/\/(?:localhost|127\.|\[)/.test(origin) ? '/' : origin }],
    security: [],
    tags: [
      { name: 'search', description: 'Find a restaurant.' },
      { name: 'menus', description: 'Menus of a day or a week.' },
      { name: 'feeds', description: 'Menus to subscribe to.' },
      { name: 'service', description: 'The service itself.' },
    ],
    paths: Object.fromEntries(routes.map(({ template, operation }) => [template, { get: operation }])),
  });
}
