import { parseRssFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { systemClock } from 'menu-client';
import { expect, test } from 'vitest';
import { LUNCH_MS } from './support/page-types.ts';
import { until } from './support/process.ts';
import { findOne } from './support/running.ts';
import { sharedCafeteria } from './support/shared.ts';

let nowMs = LUNCH_MS;
const site = sharedCafeteria({}, { ...systemClock, nowMs: () => nowMs });

test("the day's feed keeps the rules that readers rely on", async () => {
  const { path, name } = await findOne(site.url, 'R5');
  const url = `${site.url}${path}/20261120/rss.xml`;
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
  const xml = await response.text();
  const feed = parseRssFeed(xml);
  expect(feed.title).toContain(name);
  expect(feed.link).toBe(`${site.url}${path}/20261120`);
  expect(xml).toContain(`<atom:link href="${url}" rel="self" type="application/rss+xml"/>`);
  const items = feed.items ?? [];
  expect(items.length).toBeGreaterThan(0);
  for (const item of items) {
    expect(item.guid).toMatchObject({ isPermaLink: false });
    expect(item.guid?.value).toMatch(
      /^tag:rostack\.github\.io,2026:cafeteria\/welstory\/[^/]+\/2026-11-20\/[1-6]$/,
    );
    expect(Date.parse(item.pubDate ?? '')).toBeLessThanOrEqual(nowMs);
    expect(item.link).toContain(`${site.url}${path}/20261120#meal-`);
    expect(item.description).toMatch(/^<ul>(<li>.*<\/li>)+<\/ul>$/s);
  }
  expect(new Set(items.map((item) => item.guid?.value)).size).toBe(items.length);
  const again = await fetch(url, { headers: { 'If-None-Match': response.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});

test('the feed of all restaurants has the same items under the same names, of every day that is kept', async () => {
  const { path, name } = await findOne(site.url, 'R5');
  // Seven days from today are read for the table of the week.
  await fetch(`${site.url}${path}/20261120/week`);
  // The copy that is at hand may be older than that; half a minute later it is made again.
  nowMs += 31_000;
  let response = await fetch(`${site.url}/rss.xml`);
  let xml = await response.text();
  await until('the feed has the last day', async () => {
    response = await fetch(`${site.url}/rss.xml`);
    xml = await response.text();
    return xml.includes('/2026-11-26/');
  });
  expect(xml).toContain(`<atom:link href="${site.url}/rss.xml" rel="self" type="application/rss+xml"/>`);
  const all = parseRssFeed(xml);
  expect(all.link).toBe(`${site.url}/`);
  const items = (all.items ?? []).filter(({ link }) => link?.includes(path));
  const dates = new Set(items.map(({ guid }) => guid?.value?.split('/').at(-2)));
  // Nothing is served at the weekend.
  expect([...dates]).toEqual(['2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']);
  for (const item of items) {
    expect(item.title).toContain(name);
    expect(Date.parse(item.pubDate ?? '')).toBeLessThanOrEqual(nowMs);
  }
  for (const day of ['20261120', '20261123']) {
    const own = parseRssFeed(await (await fetch(`${site.url}${path}/${day}/rss.xml`)).text());
    for (const { guid, pubDate, description } of own.items ?? []) {
      const same = items.find((item) => item.guid?.value === guid?.value);
      expect([same?.pubDate, same?.description]).toEqual([pubDate, description]);
    }
  }
  expect(Date.parse(all.lastBuildDate ?? '')).toBeLessThanOrEqual(nowMs);
  const again = await fetch(`${site.url}/rss.xml`, {
    headers: { 'If-None-Match': response.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});

test('a day without menus is a valid feed', async () => {
  const { path } = await findOne(site.url, 'R5');
  const feed = parseRssFeed(await (await fetch(`${site.url}${path}/20261122/rss.xml`)).text());
  expect(feed.items ?? []).toEqual([]);
  expect(feed.title).toBeTruthy();
});

test('the calendars are read by another library and hold the menus', async () => {
  const { path } = await findOne(site.url, 'R5');
  const starts: string[] = [];
  for (const file of ['/20261120.ics', '/calendar.ics']) {
    const response = await fetch(site.url + path + file);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const text = await response.text();
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const events = new ICAL.Component(ICAL.parse(text))
      .getAllSubcomponents('vevent')
      .map((event) => new ICAL.Event(event));
    starts.push(...events.map((event) => event.startDate.toJSDate().toISOString()));
    for (const event of events) {
      expect(event.uid).toMatch(/^tag:/);
      expect(event.summary).toContain(':');
    }
    expect(text.match(/^DTSTAMP:\d{8}T\d{6}Z/gm)?.length).toBe(events.length);
  }
  // Lunch begins at 11:00 in Seoul.
  expect(starts).toContain('2026-11-20T02:00:00.000Z');
});
