import { HtmlValidate } from 'html-validate';
import { systemClock } from 'menu-client';
import { beforeAll, expect, test } from 'vitest';
import { type PageType, pageTypes } from './support/page-types.ts';
import { LUNCH_MS } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

const site = sharedCafeteria({}, { ...systemClock, nowMs: () => LUNCH_MS });
let types: Readonly<Record<string, PageType>>;
const pages = new Map<string, { readonly response: Response; readonly html: string }>();

beforeAll(async () => {
  types = await pageTypes(site.url);
  for (const [name, { path, cookie }] of Object.entries(types)) {
    const headers: Record<string, string> = cookie === undefined ? {} : { Cookie: cookie };
    const response = await fetch(site.url + path, { headers });
    pages.set(name, { response, html: await response.text() });
  }
});

test('every kind of page answers with its status and is valid HTML', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    rules: {
      // Written by the renderer the shorter way, or not, at its own discretion: a matter of style.
      'void-style': 'off',
      'no-implicit-button-type': 'error',
      // Three pages of one restaurant share their texts; a title of 70 characters is advice for search results.
      'long-title': 'off',
      // A table that scrolls takes the focus so that the arrow keys reach it.
      'no-redundant-role': 'error',
      'unique-landmark': 'error',
    },
  });
  for (const [name, { response, html }] of pages) {
    expect(response.status, name).toBe(types[name]?.status);
    const report = await validator.validateString(html);
    const faults = report.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, line, column }) => `${ruleId} ${line}:${column} ${message}`),
    );
    expect([...new Set(faults)], name).toEqual([]);
  }
});

test('the policy allows no inline script or style, and no page holds any or asks another host', () => {
  for (const [name, { response, html }] of pages) {
    expect(response.headers.get('content-security-policy'), name).toContain("default-src 'none'");
    expect(response.headers.get('content-security-policy'), name).not.toContain('unsafe');
    expect(response.headers.get('content-signal'), name).toBe('search=yes, ai-input=yes, ai-train=no');
    expect(response.headers.get('origin-agent-cluster'), name).toBe('?1');
    expect(html.match(/ toolname="find_(?:cafeteria|dish)"/g), name).toHaveLength(1);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*(src=|application\/ld\+json))/);
    // Only a link that a visitor has to choose leads elsewhere.
    expect(html).not.toMatch(
      /(?:src|href)="https?:\/\/(?!localhost|calendar\.google\.com\/calendar\/render\?)/,
    );
  }
});

test('every kind of page is Markdown too, with the same status', async () => {
  for (const [name, { path, status, cookie }] of Object.entries(types)) {
    const headers = { Accept: 'text/markdown', ...(cookie === undefined ? {} : { Cookie: cookie }) };
    const response = await fetch(site.url + path, { headers });
    expect(response.status, name).toBe(status);
    expect(response.headers.get('content-type'), name).toBe('text/markdown; charset=utf-8');
    expect(response.headers.get('vary'), name).toMatch(/^Accept,/);
    expect(Number(response.headers.get('x-markdown-tokens')), name).toBeGreaterThan(0);
    const text = await response.text();
    expect(text, name).toMatch(/^# \S/);
    expect(text, name).not.toMatch(/<[a-z]+[ >]/i);
    const link = pages.get(name)?.response.headers.get('link');
    expect(link, name).toContain('rel="alternate"; type="text/markdown"');
    expect(link, name).toContain('rel="api-catalog"');
  }
});

const tag = (html: string, start: string): string | undefined =>
  new RegExp(`<${start}[^>]*? (?:href|content)="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&');

test('pages name their address, its languages and a picture that is there', async () => {
  const unaddressed = [...pages.keys()].filter(
    (name) => name === 'offline' || (types[name]?.status ?? 0) >= 400,
  );
  expect(unaddressed).toEqual(['offline', 'not found', 'no such date']);
  for (const name of unaddressed) {
    const { html } = pages.get(name) ?? { html: '' };
    expect(tag(html, 'link rel="canonical"'), name).toBeUndefined();
    expect(html, name).toContain('<meta name="robots" content="noindex"/>');
  }
  for (const [name, { html }] of pages) {
    for (const property of ['title', 'description', 'type', 'site_name', 'locale', 'image'])
      expect(tag(html, `meta property="og:${property}"`), `${name} ${property}`).toBeTruthy();
    if (unaddressed.includes(name)) continue;
    // The address keeps its date, and the view that was asked for.
    const own = new URL(site.url + (types[name]?.path ?? ''));
    expect(tag(html, 'link rel="canonical"'), name).toBe(own.href);
    own.searchParams.delete('lang');
    expect(tag(html, 'meta property="og:url"'), name).toBe(own.href);
    for (const language of ['ko', 'en'])
      expect(tag(html, `link rel="alternate" hreflang="${language}"`), name).toContain(`lang=${language}`);
    const image = await fetch(tag(html, 'meta property="og:image"') ?? '');
    expect([image.status, image.headers.get('content-type')?.split('/')[0]], name).toEqual([200, 'image']);
  }
});

type Json = { readonly [member: string]: unknown; readonly '@type': string };
const jsonLdOf = (name: string): Json[] =>
  [...(pages.get(name)?.html ?? '').matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, text = '']) => JSON.parse(text) as Json,
  );

test('JSON-LD parses on every page that has it, and a day is a Restaurant with its Menu', () => {
  for (const name of pages.keys()) {
    for (const data of jsonLdOf(name)) expect(data['@context'], name).toBe('https://schema.org');
  }
  expect(jsonLdOf('home')).toMatchObject([
    { '@type': 'WebSite', potentialAction: { '@type': 'SearchAction' } },
  ]);
  for (const name of ['day', 'day of a date picked, in English', 'takeout']) {
    const [restaurant] = jsonLdOf(name);
    expect(restaurant, name).toMatchObject({
      '@type': 'Restaurant',
      address: { '@type': 'PostalAddress', addressCountry: 'KR' },
      hasMenu: { '@type': 'Menu', inLanguage: 'ko' },
    });
    const { hasMenuSection } = (restaurant ?? { '@type': 'none' })['hasMenu'] as {
      hasMenuSection: (Json & { hasMenuItem: Json[] })[];
    };
    expect(hasMenuSection.map((section) => section['@type'])).toEqual(
      hasMenuSection.map(() => 'MenuSection'),
    );
    const items = hasMenuSection.flatMap((section) => section.hasMenuItem);
    expect(items.length).toBeGreaterThan(5);
    for (const item of items) {
      expect(item).toMatchObject({ '@type': 'MenuItem', name: expect.stringMatching(/\S/) });
      expect(item['image'] ?? `${site.url}/img/`).toContain(`${site.url}/img/`);
    }
    const nutrition = items.flatMap(({ nutrition }) => (nutrition === undefined ? [] : [nutrition as Json]));
    expect(nutrition.length).toBeGreaterThan(0);
    for (const facts of nutrition) {
      expect(facts['@type']).toBe('NutritionInformation');
      expect(facts['calories'] ?? '1 calories').toMatch(/^\d+(\.\d+)? calories$/);
      expect(facts['proteinContent'] ?? '1 g').toMatch(/^\d+(\.\d+)? g$/);
    }
  }
  expect(jsonLdOf('day without menus')).toMatchObject([{ hasMenu: { hasMenuSection: [] } }]);
});

test('home shows a first visitor where to look and what is served; then the menus of their own restaurants', () => {
  const first = pages.get('home')?.html ?? '';
  expect(first.match(/<nav class="places".*?<\/nav>/s)?.[0].match(/<a href="\/\?q=/g)?.length).toBe(8);
  expect(first).toContain('오늘의 메뉴 둘러보기');
  expect(first.match(/<li class="card/g)?.length).toBe(12);
  const own = pages.get('home with restaurants')?.html ?? '';
  expect(own).toContain('내 식당의 오늘 점심');
  expect(own).not.toContain('class="places"');
  const listed = [...own.matchAll(/data-favourite-item="([^"]+)"/g)].map(([, key]) => key?.split('.')[1]);
  expect(listed).toHaveLength(2);
  const shown = [...own.matchAll(/<section class="my-meal"><h2><a href="\/restaurants\/\w+\/([^/]+)\//g)];
  expect(shown.map(([, id]) => id)).toEqual(listed);
});

test('a day on which nothing is served says so once, with the time of the reading', () => {
  const main = /<main.*<\/main>/s.exec(pages.get('day without menus')?.html ?? '')?.[0] ?? '';
  expect(main.match(/등록된 메뉴가 없어요/g)).toHaveLength(1);
  expect(main).toMatch(/<time datetime="[^"]+">\(11:50 기준\)<\/time>/);
});

test('lunch comes first at noon, and what is over last; photos load as they are scrolled to', () => {
  const html = pages.get('day')?.html ?? '';
  const order = [...html.matchAll(/<section class="period" id="meal-(\d)"|<p class="over">/g)];
  expect(order.map(([all, code]) => code ?? all)).toEqual(['2', '3', '<p class="over">', '1']);
  expect(/<h2 id="meal-2-name">중식<span class="tag now">지금<\/span>/.test(html)).toBe(true);
  expect(html).toContain('11:50 기준');
  const loading = [...html.matchAll(/<img [^>]*loading="(\w+)"/g)].map(([, how]) => how);
  expect(loading.length).toBeGreaterThan(5);
  expect(loading.filter((how) => how === 'eager').length).toBeLessThanOrEqual(2);
});

test('no Korean page has a word of a translation or speaks in another voice', () => {
  for (const [name, { html }] of pages) {
    const shown = (/<body.*<\/body>/s.exec(html)?.[0] ?? '').replaceAll(/<[^>]*>/g, ' ');
    expect(shown.match(/\S*(?:니다|십시오|업체|까닭|표본|읽은|읽지)\S*/)?.[0], name).toBeUndefined();
  }
});

test('an English page says which of its texts are Korean', () => {
  const main = /<main.*<\/main>/s.exec(pages.get('day of a date picked, in English')?.html ?? '')?.[0] ?? '';
  const korean = [
    ...main.matchAll(
      /<(h1|h3|span class="corner"|p class="sides")([^>]*)>(?:<a [^>]*>)?([^<]*[가-힣][^<]*)</g,
    ),
  ];
  expect(korean.length).toBeGreaterThan(10);
  for (const [, , attributes, text] of korean) expect(attributes, text).toContain('lang="ko"');
  expect(main).toMatch(/<p class="other-name">[A-Z][a-z]/);
  // A Korean page has no need to.
  expect(/<main.*<\/main>/s.exec(pages.get('day')?.html ?? '')?.[0]).not.toContain('lang="ko"');
});

test('a menu by itself adds up, and one that the day does not have is 404', async () => {
  const { path } = types['menu'] ?? { path: '' };
  const html = pages.get('menu')?.html ?? '';
  const table = /<table class="dishes">.*?<\/table>/s.exec(html)?.[0] ?? '';
  const energy = (part: string): number[] =>
    [...part.matchAll(/<tr><th scope="row">[^<]*<\/th><td>([\d,.]+)<\/td>/g)].map(([, cell = '']) =>
      Number(cell.replace(',', '')),
    );
  const [dishes = '', total = ''] = table.split('<tfoot>');
  const sum = energy(dishes).reduce((all, each) => all + each, 0);
  expect(energy(dishes).length).toBeGreaterThan(1);
  expect(Math.abs(sum - (energy(total)[0] ?? 0))).toBeLessThanOrEqual(energy(dishes).length);
  const none = await fetch(site.url + path.replace(/[^/]+$/, 'none'));
  expect([none.status, (await none.text()).includes('메뉴를 찾을 수 없어요')]).toEqual([404, true]);
  expect((await fetch(site.url + path.replace('20261120', '20261399'))).status).toBe(400);
});
