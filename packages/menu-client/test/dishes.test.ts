import { createMenuService, type DishList, findDishes, type Menu, parseDishQuery } from 'menu-client';
import { ASKED_DATES, ASKED_MEALS, ASKED_NOON_MS } from 'test-support/asked-dates';
import { describe, expect, test } from 'vitest';
import { fakeOperator, menu, settle, steppedClock } from './fake-operator.ts';
import { MINUTE, TODAY, TOMORROW } from './fake-service.ts';

const cutlet: Menu = {
  ...menu('a', '수제 치즈 돈까스'),
  nameEn: 'Cheese cutlet',
  components: [
    { name: '수제 치즈 돈까스', main: true },
    { name: '배추김치', main: false },
  ],
};
const stew: Menu = { ...menu('b', '김치찌개'), components: [{ name: '미니 돈까스', main: false }] };

const shown = ({ matches }: DishList): readonly string[] =>
  matches.map((match) => `${match.restaurant.id} ${match.date} ${match.menu.name} ${match.found}`);

test('dishes are found by name and among the others, by day, those named after them first', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  operator.menus = [stew, cutlet];
  await using service = createMenuService({ operators: [operator], clock });
  await service.dailyMenu('welstory', 'R1', TODAY);
  await service.dailyMenu('welstory', 'R1', TOMORROW);
  expect(shown(await service.searchDishes('돈까스'))).toEqual([
    `R1 ${TODAY} 수제 치즈 돈까스 menu`,
    `R1 ${TODAY} 김치찌개 dish`,
    `R1 ${TOMORROW} 수제 치즈 돈까스 menu`,
    `R1 ${TOMORROW} 김치찌개 dish`,
  ]);
  const today = await service.searchDishes('돈까스 today', { limit: 1 });
  expect(shown(today)).toEqual([`R1 ${TODAY} 수제 치즈 돈까스 menu`]);
  expect(today).toMatchObject({ total: 2, date: TODAY });
  expect(today.matches[0]?.period).toMatchObject({ code: '2', label: '점심', status: 'ok' });
  for (const query of ['치즈돈까스', 'CUTLET', 'ehsRktm 치즈', '돈까스, 치즈'])
    expect(shown(await service.searchDishes(query, { date: TOMORROW }))[0], query).toContain('수제 치즈');
  for (const query of [
    '돈까스 점심',
    '오늘점심 돈까스',
    '돈까스 나오는 식당',
    'cutlet menu',
    '"수제" 돈까스',
    '\u200b돈까스',
    '돈가스',
    '돈카츠 나오는 날',
    '돈까스가 언제 나오나요',
    '치즈돈가스는?',
    'tonkatsu',
  ])
    expect(shown(await service.searchDishes(query)), query).toContain(`R1 ${TODAY} 수제 치즈 돈까스 menu`);
  expect(shown(await service.searchDishes('kimchi jjigae today'))).toEqual([`R1 ${TODAY} 김치찌개 menu`]);
  expect((await service.searchDishes('돈까스 저녁')).total).toBe(0);
  expect(await service.searchDishes('돈까스', { meal: '2', place: 'R1' })).toMatchObject({
    total: 4,
    meal: '2',
    places: 1,
  });
  expect(await service.searchDishes('돈까스', { place: '부산' })).toMatchObject({ total: 0, places: 0 });
  // A word that no menu has is the place, if restaurants have it.
  for (const query of ['R1 돈까스 오늘', '오늘 R1에서 돈까스 나오는 곳', '돈까스 r1 오늘점심']) {
    const there = await service.searchDishes(query);
    expect([there.places, there.matches.map(({ menu: { id } }) => id)], query).toEqual([1, ['a', 'b']]);
  }
  expect(await service.searchDishes('R1 짜장')).toMatchObject({ places: 1, total: 0 });
  for (const query of ['돈까스 짜장', '돈까스김치', ' ', '오늘'])
    expect(shown(await service.searchDishes(query)), query).toEqual([]);
  const elsewhere = [{ vendor: 'welstory', id: 'R2' }] as const;
  expect((await service.searchDishes('돈까스', { restaurants: elsewhere })).total).toBe(0);
  await expect(service.searchDishes('돈까스 20261130')).rejects.toMatchObject({ code: 'invalid_date' });
  await expect(service.searchDishes('돈까스', { limit: 0 })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});

test('what has not been read is counted, and a new reading is searched at once', async () => {
  const clock = steppedClock();
  const operator = fakeOperator();
  operator.menus = [stew];
  await using service = createMenuService({ operators: [operator], clock });
  await service.dailyMenu('welstory', 'R1', TODAY);
  const restaurants = [{ vendor: 'welstory', id: 'R1' }] as const;
  expect(await service.searchDishes('치즈', { restaurants })).toMatchObject({ total: 0, unreadDays: 6 });
  operator.menus = [cutlet];
  await clock.advance(20 * MINUTE);
  await service.dailyMenu('welstory', 'R1', TODAY);
  await settle();
  await service.dailyMenu('welstory', 'R1', TOMORROW);
  expect(shown(await service.searchDishes('치즈', { restaurants }))).toHaveLength(2);
  expect((await service.searchDishes('찌개', { restaurants })).total).toBe(0);
  operator.failure = 'operator_unavailable';
  await clock.advance(30 * 60 * MINUTE);
  expect(await service.searchDishes('치즈 내일', { restaurants })).toMatchObject({ total: 0, unreadDays: 1 });
});

describe('a query', () => {
  const nowMs = Date.parse('2026-11-18T03:00:00Z');
  test('is of any day and meal that people name', () => {
    for (const [text, date] of ASKED_DATES)
      expect(parseDishQuery(`돈까스 ${text}`, ASKED_NOON_MS), text).toMatchObject({
        date,
        words: [expect.arrayContaining(['돈까스', '돈가스'])],
      });
    for (const [text, , meal] of ASKED_MEALS)
      expect(parseDishQuery(`${text} 돈까스`, ASKED_NOON_MS), text).toMatchObject({ meal });
    expect(parseDishQuery('비빔밥 20261399', ASKED_NOON_MS).words).toEqual([['비빔밥'], ['20261399']]);
  });

  test('is of days at hand too', () => {
    const restaurant = { vendor: 'welstory', id: 'R1', name: 'R1', location: [] } as const;
    const periods = [{ code: '2', label: '점심', status: 'ok', menus: [stew, cutlet] }] as const;
    const { words } = parseDishQuery('돈까스', nowMs);
    expect(findDishes([{ restaurant, date: TODAY, periods }], words).map((each) => each.menu.id)).toEqual([
      'a',
      'b',
    ]);
  });
});
