import type { DailyMenu, Menu } from 'menu-client';
import { expect, test } from 'vitest';
import { galleryOf } from './gallery.ts';

const menu = (name: string, photo = true): Menu => ({
  id: name,
  name,
  serving: 'take-in',
  soldOut: false,
  components: [],
  ...(photo ? { photo: { url: `https://photos.welstory.com/${name}` } } : {}),
});
const day = (id: string, meals: Partial<Record<'1' | '2' | '3', readonly Menu[]>>): DailyMenu => ({
  restaurant: { vendor: 'welstory', id, name: id, location: [] },
  date: '2026-11-20',
  periods: Object.entries(meals).map(([code, menus]) => ({
    code: code as '1',
    label: code,
    status: 'ok',
    menus,
  })),
});
const NOON = Date.parse('2026-11-20T12:00:00+09:00');
const names = (...args: Parameters<typeof galleryOf>): readonly string[] =>
  galleryOf(...args).map(({ period, menu }) => menu?.name ?? `${period.code} ${period.status}`);

test('the present meal of each restaurant in turns, menus with a photo first', () => {
  const a = day('a', { '1': [menu('egg')], '2': [menu('plain', false), menu('soup'), menu('stew')] });
  const b = day('b', { '2': [menu('rice')], '3': [menu('fish')] });
  expect(names([a, b], NOON, { limit: 9 })).toEqual(['soup', 'rice', 'stew', 'plain']);
  expect(names([a, b], NOON, { limit: 3 })).toEqual(['soup', 'rice', 'stew']);
  expect(names([a, b], NOON, { limit: 9, photosOnly: true })).toEqual(['soup', 'rice', 'stew']);
});

test('a restaurant whose lunch has no photo shows its lunch, and no other meal where photos are asked for', () => {
  const a = day('a', { '1': [menu('egg')], '2': [menu('plain', false)] });
  expect(names([a], NOON, { limit: 9 })).toEqual(['plain']);
  expect(names([a], NOON, { limit: 9, photosOnly: true })).toEqual([]);
  expect(names([day('b', {})], NOON, { limit: 9 })).toEqual([]);
});

test.each(['failed', 'loading'] as const)('a lunch that is %s is in the gallery as what it is', (status) => {
  const a = day('a', { '1': [menu('egg')], '2': [], '3': [menu('fish')] });
  const periods = a.periods.map((period) => (period.code === '2' ? { ...period, status } : period));
  const b = day('b', { '2': [menu('rice')] });
  expect(names([{ ...a, periods }, b], NOON, { limit: 9, photosOnly: true })).toEqual([
    `2 ${status}`,
    'rice',
  ]);
});
