/** What benchmarks take from the built service. */
import { fileURLToPath } from 'node:url';
import type * as SiteFeeds from '../../../../apps/cafeteria-web/src/answers/feeds/site-feed.ts';
import { PhotoShelf } from '../../../../apps/cafeteria-web/src/photos/photo-shelf.ts';
import type * as DayPages from '../../../../apps/cafeteria-web/src/render/html/day-page.tsx';
import type * as DayJsonLds from '../../../../apps/cafeteria-web/src/render/json-ld/day-json-ld.ts';
import type * as PageContexts from '../../../../apps/cafeteria-web/src/render/page-context.ts';

const DIST = new URL('../../../../apps/cafeteria-web/dist/', import.meta.url);
const built = async <Module>(file: string): Promise<Module> =>
  (await import(new URL(file, DIST).href)) as Module;

export const MAIN = fileURLToPath(new URL('main.js', DIST));
export const { SiteFeed } = await built<typeof SiteFeeds>('answers/feeds/site-feed.js');
export const { renderDayPage } = await built<typeof DayPages>('render/html/day-page.js');
export const { dayJsonLd } = await built<typeof DayJsonLds>('render/json-ld/day-json-ld.js');
const { feedPage } = await built<typeof PageContexts>('render/page-context.js');

export const pageAt = (nowMs: number, sampleData: boolean) =>
  feedPage({
    origin: 'https://menu.example.org',
    nowMs,
    authority: 'localhost',
    sampleData,
    assetUrl: (name) => `/assets/${name}`,
    photos: new PhotoShelf(),
  });
