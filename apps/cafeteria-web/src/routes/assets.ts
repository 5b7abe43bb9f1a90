import type { Hono } from 'hono';
import { BASE_HEADERS } from '../answers/http/headers.ts';
import type { Pages } from '../answers/http/pages.ts';
import { Rendering } from '../answers/rendering.ts';
import { respond } from '../answers/respond.ts';
import type { AssetLibrary } from '../assets/asset-library.ts';
import { renderOfflineMarkdown, renderOfflinePage } from '../render/html/notices/offline-page.tsx';
import { renderPrivacyMarkdown, renderPrivacyPage } from '../render/html/notices/privacy-page.tsx';
import { MESSAGES } from '../render/i18n/messages.ts';
import { WORKER_WAIT_MS } from '../running/waits.ts';

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

  const worker = new Rendering(assets.serviceWorker.replace('{{WORKER_WAIT_MS}}', String(WORKER_WAIT_MS)), {
    ...revalidated,
    'Content-Type': 'text/javascript; charset=utf-8',
  });
  app.get('/service-worker.js', (c) => respond(c, worker));
  app.get('/favicon.ico', (c) => respond(c, assets.file('icon-192.png')));
}

/** What makes the site an application on a phone, manifest and offline page; and what it keeps about visitors. */
export function mountInstallable(app: Hono, pages: Pages, assetUrl: (name: string) => string): void {
  const text = MESSAGES.ko;
  const manifest = new Rendering(
    JSON.stringify({
      id: '/',
      name: text.siteName,
      short_name: '구내식당',
      description: text.description,
      lang: 'ko',
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: '#fdfaf6',
      theme_color: '#b93a0e',
      categories: ['food', 'lifestyle'],
      shortcuts: [
        { name: text.myMenus(text.today), url: '/' },
        { name: text.takeoutTitle, url: '/takeout' },
        { name: text.alarmTitle, url: '/alarm' },
      ].map((shortcut) => ({
        ...shortcut,
        icons: [{ src: assetUrl('icon-192.png'), sizes: '192x192', type: 'image/png' }],
      })),
      icons: [
        { src: assetUrl('icon-192.png'), sizes: '192x192', type: 'image/png', purpose: 'any' },
        { src: assetUrl('icon-512.png'), sizes: '512x512', type: 'image/png', purpose: 'any' },
        { src: assetUrl('icon-maskable.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    }),
    { ...BASE_HEADERS, 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=3600' },
  );
  app.get('/manifest.webmanifest', (c) => respond(c, manifest));
  app.get('/privacy', (c) =>
    pages.send(c, {
      path: '/privacy',
      version: '',
      html: renderPrivacyPage,
      markdown: renderPrivacyMarkdown,
    }),
  );
  app.get('/offline', (c) =>
    pages.send(c, {
      path: '/offline',
      version: '',
      html: renderOfflinePage,
      markdown: renderOfflineMarkdown,
    }),
  );
}
