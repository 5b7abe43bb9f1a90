import { expect, test } from 'vitest';
import { parseMealList } from './parse-meal-list.ts';

const COURSE = { hallNo: 'E5', menuCourseType: 'AA' };

const menusOf = (mealList: readonly object[], smartOrderMenuList: readonly object[] = []) =>
  parseMealList({ data: { mealList, smartOrderMenuList } }, '2').value;

test('a course has as many calories as its dishes, and none told where one of them tells none', () => {
  const [main, side] = [
    { ...COURSE, menuName: '제육볶음', kcal: '412' },
    { ...COURSE, menuName: '쌀밥', kcal: '300' },
  ];
  expect(menusOf([main, side])).toMatchObject([{ nutrition: { caloriesKcal: 712 } }]);
  const [unknown] = menusOf([main, { ...side, kcal: undefined }]);
  expect(unknown?.name).toBe('제육볶음');
  expect(unknown).not.toHaveProperty('nutrition');
});

test.each([
  ['N', 'N', false],
  ['N', 'Y', false],
  ['Y', 'N', true],
  ['Y', 'Y', true],
])(
  'a course whose main dish is sold out (%s), and whose side is (%s), is sold out: %s',
  (main, side, soldOut) => {
    const menus = menusOf([
      { ...COURSE, menuName: '제육볶음', soldOutYn: main },
      { ...COURSE, menuName: '쌀밥', soldOutYn: side },
    ]);
    expect(menus).toMatchObject([{ name: '제육볶음', soldOut }]);
  },
);

test('a dish that can be ordered ahead is the one of the list that is written in letters of another width', () => {
  const smart = { menuName: 'ＡＢ 국수', sumKcal: '500' };
  expect(menusOf([{ ...COURSE, menuName: 'AB국수' }], [smart])).toHaveLength(1);
});

test.each([
  [['품절', '판매중'], false],
  [['판매중', '품절'], false],
  [['품절', '품절'], true],
])(
  'a dish that can be ordered ahead at several places (%j) is sold out at all of them: %s',
  (states, soldOut) => {
    const smart = states.map((smartStatus) => ({ menuName: '국수', smartStatus }));
    expect(menusOf([], smart)).toMatchObject([{ name: '국수', soldOut }]);
  },
);

test('a name that is too long is cut between its characters, never within one', () => {
  const [menu] = menusOf([{ ...COURSE, menuName: `${'가'.repeat(499)}🍚` }]);
  expect(menu?.name).toBe('가'.repeat(499));
});

test.each([
  [0, true],
  ['0', true],
  [' 0.0 ', true],
  ['-1', true],
  [1, false],
  ['10', false],
  ['0.5', false],
  ['', false],
  [null, false],
])('a dish of which %j can be ordered ahead is sold out: %s', (smartRemainingQuantity, soldOut) => {
  expect(menusOf([], [{ menuName: '국수', smartRemainingQuantity }])).toMatchObject([{ soldOut }]);
});

test('a row that names no hall belongs to the only one of the meal, and to none of several', () => {
  const at = (hallNo: string | undefined, menuName: string) => ({ menuCourseType: 'AA', hallNo, menuName });
  const names = (rows: readonly object[]) => menusOf(rows).map(({ name }) => name);
  expect(names([at('E5', '제육볶음'), at(undefined, '쌀밥')])).toEqual(['제육볶음']);
  expect(names([at('E5', '제육볶음'), at('E6', '냉면'), at(undefined, '쌀밥')])).toEqual([
    '제육볶음',
    '냉면',
    '쌀밥',
  ]);
});
