import { expect, test } from 'vitest';
import { DESCRIBED_ROUTES } from '../src/routes/described-routes.ts';
import { startReadySite } from './support/ready-site.ts';

/** What people look at. */
const PAGES = ['/alarm', '/offline', '/privacy', '/restaurants/:vendor/:id/:slug/:date/month', '/takeout'];
/** Older and shorter addresses, which only lead to described ones. */
const REDIRECTS = ['/restaurants/:vendor/:id', '/restaurants/:vendor/:id/:slug/week', '/search'];
/** What pages load. */
const FILES = [
  '/assets/:file',
  '/assets/index.json',
  '/favicon.ico',
  '/img/:vendor/:id/:date/:menu',
  '/img/:vendor/:width/:address',
  '/manifest.webmanifest',
  '/service-worker.js',
];
/** What programs read to learn about the site, the description itself among it. */
const DISCOVERY =
  /^\/(?:llms\.txt|robots\.txt|sitemap\.xml|openapi\.json|server\.json|mcp\/server-card|\.well-known\/.*)$/;

test('every route that answers GET is described in OpenAPI, or is a page, a file or a discovery document', async () => {
  await using site = await startReadySite();
  const mounted = site.app.routes
    .filter(({ method, path }) => method === 'GET' && !path.endsWith('*'))
    .map(({ path }) => path);
  const described = DESCRIBED_ROUTES.map(({ path }) => path);
  const others = [...PAGES, ...REDIRECTS, ...FILES];
  expect([...new Set(mounted)].filter((path) => !DISCOVERY.test(path)).sort()).toEqual(
    [...described, ...others].sort(),
  );
});
