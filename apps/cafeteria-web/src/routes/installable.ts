import type { Hono } from 'hono';
import { BASE_HEADERS } from '../http/headers.ts';
import { sendPage } from '../http/page.ts';
import { Rendering } from '../http/rendering.ts';
import { respond } from '../http/respond.ts';
import type { Site } from '../http/site.ts';
import { MESSAGES } from '../i18n/messages.ts';
import { renderOfflineMarkdown, renderOfflinePage } from '../render/html/offline-page.tsx';

/** What makes the site an application on a phone: manifest and offline page. */
export function mountInstallable(app: Hono, site: Site): void {
  const { url } = site.assets;
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
      icons: [
        { src: url('icon-192.png'), sizes: '192x192', type: 'image/png', purpose: 'any' },
        { src: url('icon-512.png'), sizes: '512x512', type: 'image/png', purpose: 'any' },
        { src: url('icon-maskable.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    }),
    { ...BASE_HEADERS, 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=3600' },
    '',
  );
  app.get('/manifest.webmanifest', (c) => respond(c, manifest));
  app.get('/offline', (c) =>
    sendPage(c, site, {
      key: '/offline',
      version: '',
      path: '/offline',
      html: renderOfflinePage,
      markdown: renderOfflineMarkdown,
    }),
  );
}
