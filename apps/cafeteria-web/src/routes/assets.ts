import type { Hono } from 'hono';
import { Rendering } from '../answers/rendering.ts';
import { respond } from '../answers/respond.ts';
import type { AssetLibrary } from '../assets/asset-library.ts';
import { BASE_HEADERS } from '../http/headers.ts';

/** The static files and what a browser needs at fixed addresses. */
export function mountAssets(app: Hono, assets: AssetLibrary): void {
  const revalidated = { ...BASE_HEADERS, 'Cache-Control': 'no-cache' };

  app.get('/assets/index.json', (c) =>
    respond(
      c,
      new Rendering(JSON.stringify(assets.urls), { ...revalidated, 'Content-Type': 'application/json' }),
    ),
  );
  app.get('/assets/:file', (c, next) => {
    const file = assets.find(new URL(c.req.url).pathname);
    return file === undefined ? next() : respond(c, file);
  });

  const worker = new Rendering(assets.bytes('service-worker.js').toString('utf8'), {
    ...revalidated,
    'Content-Type': 'text/javascript; charset=utf-8',
  });
  app.get('/service-worker.js', (c) => respond(c, worker));
  app.get('/favicon.ico', (c) => respond(c, assets.file('icon-192.png')));
}
