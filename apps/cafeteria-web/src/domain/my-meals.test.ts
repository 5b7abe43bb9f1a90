import type { DailyMenu, Menu } from 'menu-client';
import { expect, test } from 'vitest';
import { PLAIN_LOOK } from './look.ts';
import { myMeals } from './my-meals.ts';

const menu = (name: string, proteinG?: number, caloriesKcal?: number): Menu => ({
  id: name,
  name,
  serving: name.startsWith('box') ? 'take-out' : 'take-in',
  soldOut: false,
  components: [{ name: `${name} rice`, main: false }],
  ...(proteinG === undefined || caloriesKcal === undefined ? {} : { nutrition: { proteinG, caloriesKcal } }),
});
const day = (id: string, meals: Record<string, readonly Menu[]>, date = '2026-11-20'): DailyMenu => ({
  restaurant: { vendor: 'welstory', id, name: id, location: [] },
  date,
  periods: Object.entries(meals).map(([code, menus]) => ({ code, label: code, status: 'ok', menus })),
});
const NOON_MS = Date.parse('2026-11-20T12:00:00+09:00');
const shown = (days: readonly DailyMenu[], look = {}): readonly string[] =>
  myMeals(days, NOON_MS, { ...PLAIN_LOOK, ...look }).map(
    ({ restaurant, menus }) => `${restaurant.id}: ${menus.map(({ name }) => name).join(', ')}`,
  );

const many = Array.from({ length: 30 }, (_, index) => menu(`dish ${index}`));
const a = day('a', { '1': [menu('egg')], '2': [menu('stew', 20, 700), menu('box', 40, 500), menu('soup')] });
const b = day('b', { '2': [menu('fish', 50, 900)], '3': many });

test('all dishes of the present meal, by restaurant, take-in and take-out, none cut', () => {
  expect(shown([a, b])).toEqual(['a: stew, soup, box', 'b: fish']);
  expect(myMeals([day('c', { '2': many })], NOON_MS, PLAIN_LOOK)[0]?.menus).toHaveLength(30);
  const closed = day('closed', { '2': [] });
  const empty = closed.periods.map((period) => ({ ...period, status: 'empty' as const }));
  expect(shown([{ ...closed, periods: empty }])).toEqual([]);
  expect(shown([day('later', { '1': [menu('egg')], '2': [menu('noodles')] }, '2026-11-23')])).toEqual([
    'later: noodles',
  ]);
});

test('sorted by most protein or least energy, unknown ones last; the best restaurant first', () => {
  expect(shown([a, b], { sort: 'protein' })).toEqual(['b: fish', 'a: box, stew, soup']);
  expect(shown([a, b], { sort: 'kcal' })).toEqual(['a: box, stew, soup', 'b: fish']);
});

test('a take-out bundle is after the whole meals by energy, and where its best item belongs by protein', () => {
  const items = [menu('milk', 6, 136), menu('wrap', 22, 445)].map(({ id, name, nutrition }) => ({
    id,
    name,
    ...(nutrition && { nutrition }),
  }));
  const bundle: Menu = { ...menu('boxes'), bundle: { status: 'ok', items } };
  const lunch = day('d', { '2': [menu('stew', 20, 700), menu('salad', 9, 150), bundle] });
  expect(shown([lunch], { sort: 'kcal' })).toEqual(['d: salad, stew, boxes']);
  expect(shown([lunch], { sort: 'protein' })).toEqual(['d: boxes, stew, salad']);
});

test('sorted by most energy or least protein too; a coffee is not the meal with the least', () => {
  const coffee: Menu = { ...menu('coffee', 0.3, 5), components: [] };
  const lunch = day('e', { '2': [menu('stew', 20, 700), coffee, menu('fish', 50, 900)] });
  expect(shown([lunch], { sort: 'kcal-high' })).toEqual(['e: fish, stew, coffee']);
  expect(shown([lunch], { sort: 'protein-low' })).toEqual(['e: stew, fish, coffee']);
});

test('whole meals only, without extra dishes, without menus that have one of the words', () => {
  const coffee: Menu = { ...menu('coffee', 0.3, 5), components: [] };
  const extra: Menu = { ...menu('김구이', 2, 300), corner: '추가찬' };
  const lunch = day('f', { '2': [menu('stew', 20, 700), coffee, extra, menu('fish', 50, 900)] });
  expect(shown([lunch], { mains: true })).toEqual(['f: stew, fish']);
  expect(shown([lunch], { noExtras: true })).toEqual(['f: stew, coffee, fish']);
  for (const without of ['fish, coffee', 'fish,coffee', 'fish coffee'])
    expect(shown([lunch], { without }), without).toEqual(['f: stew, 김구이']);
  expect(shown([lunch], { without: 'rice' })).toEqual(['f: coffee']);
});

test('another meal than that of the moment; a restaurant without it says so, one that is closed is left out', () => {
  const closed = { ...day('closed', { '3': [] }), periods: [] };
  const dinner = myMeals([a, b, closed], NOON_MS, PLAIN_LOOK, '3');
  expect(dinner.map(({ restaurant, period, menus }) => [restaurant.id, period?.code, menus.length])).toEqual([
    ['a', undefined, 0],
    ['b', '3', 30],
  ]);
});

test('as listed, menus with a photo come first', () => {
  const shot: Menu = { ...menu('noodles'), photo: { url: 'https://photos.example/1.jpg' } };
  expect(shown([day('g', { '2': [menu('stew'), shot, menu('fish')] })])).toEqual(['g: noodles, stew, fish']);
});

test('only dishes with every word, in their name or among their sides', () => {
  expect(shown([a, b], { words: 'stew' })).toEqual(['a: stew']);
  expect(shown([a, b], { words: 'rice box' })).toEqual(['a: box']);
  expect(shown([a, b], { words: 'pizza' })).toEqual([]);
});

test.each(['failed', 'loading'] as const)(
  'a lunch that is %s keeps its place, whatever is asked for',
  (status) => {
    const c = day('c', { '1': [menu('egg')], '2': [], '3': [menu('fish')] });
    const periods = c.periods.map((period) => (period.code === '2' ? { ...period, status } : period));
    const days = [{ ...c, periods }, a];
    expect(shown(days)).toEqual(['c: ', 'a: stew, soup, box']);
    expect(shown(days, { words: 'fish' })).toEqual(['c: ']);
    expect(shown(days, { sort: 'protein', words: 'stew' })).toEqual(['a: stew', 'c: ']);
    expect(myMeals(days, NOON_MS, PLAIN_LOOK)[0]?.period).toMatchObject({ code: '2', status });
  },
);
