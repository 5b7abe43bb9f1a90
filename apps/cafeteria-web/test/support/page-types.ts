import { until } from './process.ts';
import { find, findOne } from './running.ts';

export { LUNCH_MS } from './running.ts';

export interface PageType {
  readonly path: string;
  readonly status: number;
  readonly cookie?: string;
}

/** Waits until home shows all that it chooses from: it does not wait for that itself. */
export async function homeIsComplete(url: string): Promise<void> {
  const isComplete = async () => (await fetch(url)).headers.get('cache-control') !== 'no-cache';
  await until('home has all of its menus', isComplete);
}

/** One address of every kind of page, by its name; read over the sandbox at any time. */
export async function pageTypes(url: string): Promise<Readonly<Record<string, PageType>>> {
  await homeIsComplete(url);
  const { path } = await findOne(url, 'R5');
  const day = `${path}/20261120`;
  const mine = (await find(url, '강남', 2)).map(({ vendor, id }) => `${vendor}.${encodeURIComponent(id)}`);
  const menu =
    /data-dish="more">.*?class="whole" href="([^"]+)"/s.exec(await (await fetch(url + day)).text())?.[1] ??
    '';
  const pages: Record<string, string | Omit<PageType, 'status'>> = {
    home: '/',
    'home with restaurants': { path: '/', cookie: `my=${mine.join('~')}` },
    results: '/?q=강남',
    'no results': '/?q=없는식당이름',
    day,
    'day of a date picked, in English': `${day}?view=take-in&lang=en`,
    takeout: `${day}?view=takeout`,
    'takeout of my restaurants': { path: '/takeout', cookie: `my=${mine.join('~')}` },
    'day without menus': `${path}/20261122`,
    menu,
    week: `${day}/week`,
    month: `${day}/month`,
    dishes: '/?q=김치',
    'dishes of a day, in English': {
      path: '/?q=김치&date=20261120&lang=en',
      cookie: `my=${mine.join('~')}`,
    },
    'dinner of tomorrow, with a closed restaurant': {
      path: '/?date=20261121&meal=3',
      cookie: `my=${mine.join('~')}~shinsegae.CAF219`,
    },
    'my restaurants on a Sunday': { path: '/?date=20261122', cookie: `my=${mine.join('~')}` },
    'alarm without restaurants': '/alarm',
    alarm: { path: '/alarm?dish=김치', cookie: `my=${mine.join('~')}` },
    offline: '/offline',
    privacy: '/privacy',
  };
  const errors: Record<string, PageType> = {
    'not found': { path: '/none', status: 404 },
    'no such date': { path: `${path}/20261399`, status: 400 },
  };
  const good = Object.entries(pages).map(([name, page]) => [
    name,
    typeof page === 'string' ? { path: page, status: 200 } : { ...page, status: 200 },
  ]);
  return { ...(Object.fromEntries(good) as Record<string, PageType>), ...errors };
}
