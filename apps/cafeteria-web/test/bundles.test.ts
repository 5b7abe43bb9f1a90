import type { Bundle, DailyMenu, Menu } from 'menu-client';
import { launchBrowser } from 'test-support/launch-browser';
import { describe, expect, test } from 'vitest';
import { parsePicks } from '../src/domain/takeout/picks.ts';
import { PhotoShelf } from '../src/photos/photo-shelf.ts';
import { renderDayPage } from '../src/render/html/day-page.tsx';
import { renderMenuPage } from '../src/render/html/menu-page.tsx';
import { renderCalendar } from '../src/render/ics/menu-calendar.ts';
import { dayJsonLd } from '../src/render/json-ld/day-json-ld.ts';
import { renderDayMarkdown } from '../src/render/markdown/day-markdown.ts';
import { renderMenuMarkdown } from '../src/render/markdown/menu-markdown.ts';
import { feedPage } from '../src/render/page-context.ts';
import { renderFeed } from '../src/render/rss/menu-feed.ts';
import { openSite } from './support/operated-site.ts';
import { find, LUNCH_MS, startTestCafeteria } from './support/running.ts';
import { sampleDay, samplePeriod } from './support/sample-day.ts';
import { TAKEOUT } from './support/takeout.ts';

const page = feedPage({
  authority: 'localhost',
  origin: 'http://localhost',
  nowMs: LUNCH_MS,
  sampleData: false,
  assetUrl: (name) => `/assets/${name}`,
  photos: new PhotoShelf(),
});

const ITEMS = [
  { id: '햄에그샌드위치', name: '햄에그샌드위치', nutrition: { caloriesKcal: 391, proteinG: 18 } },
  { id: '단호박죽', name: '단호박죽', nutrition: { caloriesKcal: 255.4, proteinG: 5, sodiumMg: 1320 } },
  { id: '생수', name: '생수' },
];

function bundle(state: Bundle): Menu {
  const menu: Menu = {
    id: '2.E5.BB',
    name: '햄에그샌드위치',
    serving: 'take-out',
    soldOut: false,
    components: [
      { name: '햄에그샌드위치', main: true, nutrition: { caloriesKcal: 391 } },
      { name: '다른 메뉴', main: false, nutrition: { caloriesKcal: 3863 } },
    ],
    bundle: state,
  };
  return menu;
}

function dayOf(state: Bundle): DailyMenu {
  return sampleDay({ periods: [samplePeriod({ menus: [bundle(state)] })] });
}

const READ: Bundle = { status: 'ok', items: ITEMS, fetchedAt: '2026-11-20T02:02:00.000Z' };
const STALE: Bundle = { ...READ, status: 'stale', error: { code: 'operator_timeout', retryable: true } };
const FAILED: Bundle = { status: 'failed', items: [], error: { code: 'operator_timeout', retryable: true } };
const EMPTY: Bundle = { status: 'empty', items: [] };

const SAYS = {
  stale: '지금은 고를 수 있는 메뉴를 불러오지 못해 11월 20일 (금) 11:02에 불러온 메뉴를 보여 드려요.',
  failed: '고를 수 있는 메뉴를 불러오지 못했어요',
  empty: '고를 수 있는 메뉴가 공개되지 않았어요.',
} as const;

/** The day of a bundle in every medium. */
function mediaOf(state: Bundle): Readonly<Record<string, string>> {
  const day = dayOf(state);
  const menu = bundle(state);
  const model = { day, nowMs: LUNCH_MS, takeout: TAKEOUT, jsonLd: {} } as const;
  const of = {
    restaurant: day.restaurant,
    date: day.date,
    period: samplePeriod(),
    menu,
    detailFailed: false,
  };
  const channel = { title: 't', description: 'd', pagePath: '/', feedPath: '/f', changedAt: undefined };
  return {
    gallery: renderDayPage(page, { ...model, view: 'gallery' }),
    takeout: renderDayPage(page, { ...model, view: 'takeout' }),
    markdown: renderDayMarkdown(page, day, 'gallery', LUNCH_MS),
    rss: renderFeed(page, channel, [day]),
    ics: renderCalendar(page, [day], 't').replaceAll('\r\n ', ''),
    menu: renderMenuPage(page, of),
    'menu as Markdown': renderMenuMarkdown(page, of),
  };
}

describe('a bundle', () => {
  test('is its items in every medium, each with its own nutrition, and never their sum', () => {
    for (const [medium, text] of Object.entries(mediaOf(READ))) {
      expect(text, medium).toMatch(/햄에그샌드위치[^]*391 kcal[^]*단호박죽[^]*255\.4 kcal[^]*생수/);
      expect(text, medium).not.toMatch(/646|4,?254|3,?863/);
      expect(text, medium).not.toContain('다른 메뉴');
    }
  });

  test.each([
    ['stale', STALE],
    ['failed', FAILED],
    ['empty', EMPTY],
  ] as const)('whose items are %s says so in every medium', (status, state) => {
    for (const [medium, text] of Object.entries(mediaOf(state))) {
      expect(text, medium).toContain(SAYS[status]);
      expect(text, medium).toContain('햄에그샌드위치');
      expect(text.includes('391'), medium).toBe(status === 'stale');
    }
  });

  test('is a section of items in JSON-LD, each with its nutrition and an offer', () => {
    const { hasMenu } = dayJsonLd(page, dayOf(READ)) as never as {
      hasMenu: { hasMenuSection: { hasMenuItem: object[]; hasMenuSection: unknown }[] };
    };
    const offers = { '@type': 'Offer', availability: 'https://schema.org/InStock' };
    expect(hasMenu.hasMenuSection).toMatchObject([
      {
        hasMenuItem: [],
        hasMenuSection: [
          {
            '@type': 'MenuSection',
            name: '햄에그샌드위치',
            hasMenuItem: [
              {
                '@type': 'MenuItem',
                name: '햄에그샌드위치',
                nutrition: {
                  '@type': 'NutritionInformation',
                  calories: '391 calories',
                  proteinContent: '18 g',
                },
                offers,
              },
              { name: '단호박죽', nutrition: { sodiumContent: '1320 mg' } },
              { name: '생수', offers },
            ],
          },
        ],
      },
    ]);
    const text = JSON.stringify(dayJsonLd(page, dayOf(FAILED)));
    expect(text).toContain('"@type":"MenuItem","name":"햄에그샌드위치"');
    expect(text).not.toContain('NutritionInformation');
  });

  test('each item of the gallery is a link that picks it', () => {
    const html = renderDayPage(page, {
      day: dayOf(READ),
      view: 'gallery',
      nowMs: LUNCH_MS,
      takeout: TAKEOUT,
      jsonLd: {},
    });
    const [href = ''] = [...html.matchAll(/<ul class="items"><li><a href="([^"]+)"/g)].map(([, url]) => url);
    const url = new URL(href.replaceAll('&amp;', '&'), 'http://localhost');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      view: 'takeout',
      pick: '2.2.E5.BB/햄에그샌드위치',
    });
    expect(html).toContain('255.4–391 kcal');
  });

  test('the sum is of the items that were picked, and says of how many nothing is known', () => {
    const picked = parsePicks(['2.2.E5.BB/단호박죽', '2.2.E5.BB/생수', '2.2.E5.BB', '2.2.E5.BB/생수']);
    const html = renderDayPage(page, {
      day: dayOf(READ),
      view: 'takeout',
      nowMs: LUNCH_MS,
      takeout: { ...TAKEOUT, picked },
      jsonLd: {},
    });
    expect(html.match(/<input type="checkbox" name="pick"/g)).toHaveLength(3);
    expect(html.match(/ checked/g)).toHaveLength(2);
    expect(html).toMatch(/<strong>3개 · 255\.4 kcal<\/strong>/);
    expect(html).toMatch(/열량 <b>255\.4 kcal \(2개는 정보 없음\)<\/b>/);
  });
});

/** A Welstory restaurant near Gangnam with a bundle of twelve things or more. */
async function takeOutOf(url: string): Promise<string> {
  for (const { vendor, path } of await find(url, '강남', 50)) {
    const day = `${path}/20261120?view=takeout`;
    const markdown = await (await fetch(url + day, { headers: { accept: 'text/markdown' } })).text();
    if (vendor === 'welstory' && markdown.includes('생수')) return day;
  }
  throw new Error('nobody takes anything out');
}

test('picking works by the form alone, and with the script as well', async () => {
  await using cafeteria = await startTestCafeteria({}, undefined);
  await using browser = await launchBrowser();
  const day = cafeteria.url + (await takeOutOf(cafeteria.url));
  const sums: string[] = [];
  for (const javaScriptEnabled of [false, true]) {
    const context = await browser.newContext({ javaScriptEnabled, locale: 'ko-KR', serviceWorkers: 'block' });
    const visit = await context.newPage();
    await visit.goto(day);
    const items = visit.locator('.items label');
    await items.nth(0).click();
    await items.nth(1).click();
    if (!javaScriptEnabled) await visit.getByRole('button', { name: '적용' }).click();
    sums.push(await visit.locator('.pick-bar output').innerText());
    expect(new URL(visit.url()).searchParams.getAll('pick')).toHaveLength(2);
    await visit.reload();
    expect(await visit.locator('.pick-bar output').innerText()).toBe(sums.at(-1));
    expect(await visit.locator('.items input:checked').count()).toBe(2);
    await context.close();
  }
  expect(sums[0]).toMatch(/(코인|2개) · [\d,.]+ kcal/);
  expect(sums[0]?.replaceAll(/\s+/g, ' ')).toBe(sums[1]?.replaceAll(/\s+/g, ' '));
});

test('items that cannot be read cost neither the meal nor its bundles, and come back', async () => {
  await using site = await openSite();
  const day = await takeOutOf(site.url);
  const other = day.replace('20261120', '20261119');
  site.sandbox.setFaults([{ fault: 'items-failed' }]);
  const response = await site.get(other);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const failed = await response.text();
  expect(failed).toContain(SAYS.failed);
  expect(failed).not.toContain('메뉴가 없다는 뜻은 아니에요');
  site.sandbox.setFaults([]);
  site.passTime(2 * 60_000);
  await site.get(other);
  await expect.poll(() => site.text(other)).not.toContain(SAYS.failed);
  expect(await site.text(other)).toContain('<ul class="items">');
});
