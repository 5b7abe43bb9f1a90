import type { DailyMenu, MealPeriod, Menu } from 'menu-client';
import { expect, test } from 'vitest';
import { menuAnswerSchema, rangeOf, toMenuAnswer } from './menu-answer.ts';
import { type SelectedDay, selectMenus } from './menu-selection.ts';
import { toMenuText } from './menu-text.ts';

function menu(name: string, caloriesKcal?: number, proteinG?: number, more: Partial<Menu> = {}): Menu {
  const nutrition = {
    ...(caloriesKcal === undefined ? {} : { caloriesKcal }),
    ...(proteinG === undefined ? {} : { proteinG }),
    sodiumMg: 10 * name.length,
  };
  return { id: name, name, serving: 'take-in', soldOut: false, components: [], nutrition, ...more };
}

const period = (code: MealPeriod['code'], label: string, menus: Menu[]): MealPeriod => ({
  code,
  label,
  status: menus.length > 0 ? 'ok' : 'empty',
  menus,
});

const DAY: DailyMenu = {
  restaurant: { vendor: 'welstory', id: 'REST1', name: 'R5\n1식당', location: ['수원'] },
  date: '2026-11-18',
  periods: [
    period('1', '조식', []),
    period('2', '중식', [
      menu('제육볶음', 900, 40, {
        corner: 'A',
        components: [
          { name: '제육볶음', main: true },
          { name: '쌀밥', main: false },
        ],
      }),
      menu('물음표'),
      menu('샐러드', 300, 12, { serving: 'take-out', soldOut: true }),
      menu('두부조림', 600, 55),
    ]),
    period('3', '석식', [menu('라면', 500, 10)]),
  ],
};
/** Of another day than the one that is read. */
const TOMORROW_MS = Date.parse('2026-11-19T03:00:00Z');
const names = ({ periods }: SelectedDay): string[][] =>
  periods.map(({ choices }) => choices.map(({ name }) => name));

test.each([
  [{}, [[], ['제육볶음', '물음표', '샐러드', '두부조림'], ['라면']]],
  [{ meal: 'lunch' }, [['제육볶음', '물음표', '샐러드', '두부조림']]],
  [{ meal: 'dawn' }, []],
  [{ meal: 'lunch', view: 'takeout' }, [['샐러드']]],
  [{ meal: 'lunch', view: 'take-in' }, [['제육볶음', '물음표', '두부조림']]],
  [{ meal: 'lunch', sort: 'calories' }, [['샐러드', '두부조림', '제육볶음', '물음표']]],
  [{ meal: 'lunch', sort: 'protein' }, [['두부조림', '제육볶음', '샐러드', '물음표']]],
] as const)('%j selects %j', (selection, expected) => {
  expect(names(selectMenus(DAY, selection, TOMORROW_MS))).toEqual(expected);
});

test('the least of anything is in no bundle: whole meals come first, bundles after them with their range', () => {
  const items = [
    { id: 'a', name: '샌드위치', nutrition: { caloriesKcal: 391 } },
    { id: 'b', name: '삶은계란', nutrition: { caloriesKcal: 150 } },
  ];
  const bundle = menu('묶음', undefined, undefined, { serving: 'take-out', bundle: { status: 'ok', items } });
  const coffee = menu('아메리카노', 12, undefined, { serving: 'take-out' });
  const unread = menu('모음', 999, 9, { serving: 'take-out', bundle: { status: 'failed', items: [] } });
  const day = { ...DAY, periods: [period('2', '중식', [unread, coffee, menu('라면', 200), bundle])] };
  const text = toMenuText(
    toMenuAnswer(selectMenus(day, { sort: 'calories' }, TOMORROW_MS), { sort: 'calories' }),
    { sort: 'calories' },
    [],
  );
  expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- 라면, 200 kcal',
    '- 아메리카노, 12 kcal, takeout',
    '- 묶음, takeout, one of (150 to 391 kcal): 삶은계란, 150 kcal; 샌드위치, 391 kcal',
    '- 모음, takeout, to choose from, what has not been read',
  ]);
  const whole = toMenuText(toMenuAnswer(selectMenus(day, {}, TOMORROW_MS)), {}, []);
  expect(whole).toContain('- 묶음, takeout, one of: 샌드위치, 391 kcal; 삶은계란, 150 kcal');
});

test('today the present meal comes first, read or not, and those that are over last', () => {
  const unread: MealPeriod = { ...period('2', '중식', []), status: 'failed' };
  const served = [period('1', '조식', [menu('죽', 300)]), unread, period('3', '석식', [menu('국', 300)])];
  const labels = (nowMs: number) =>
    selectMenus({ ...DAY, periods: served }, {}, nowMs).periods.map(({ label }) => label);
  expect(labels(Date.parse('2026-11-18T02:50:00Z'))).toEqual(['중식', '석식', '조식']);
  expect(labels(Date.parse('2026-11-18T09:00:00Z'))).toEqual(['석식', '조식', '중식']);
  expect(labels(TOMORROW_MS)).toEqual(['조식', '중식', '석식']);
});

test('a long answer has bundles as a whole, after what can be compared', () => {
  const items = ['샌드위치', '삶은계란'].map((name) => ({
    id: name,
    name,
    nutrition: { caloriesKcal: 150 },
  }));
  const bundle = menu('묶음', undefined, undefined, { serving: 'take-out', bundle: { status: 'ok', items } });
  const day = { ...DAY, periods: [period('2', '중식', [menu('국', 300), bundle, menu('라면', 400)])] };
  const selected = selectMenus(day, { sort: 'calories' }, TOMORROW_MS);
  const [meal] = toMenuAnswer(selected, { sort: 'calories', leftOut: ['items'] }).periods;
  expect(meal?.menus).toEqual([
    { name: '국', nutrition: { caloriesKcal: 300 } },
    { name: '라면', nutrition: { caloriesKcal: 400 } },
    { name: '묶음', serving: 'take-out', range: { min: 150, max: 150 } },
  ]);
});

test('a text says of each menu what is known, in a line', () => {
  const selected = selectMenus(DAY, { meal: 'lunch', sort: 'sodium' }, TOMORROW_MS);
  const text = toMenuText(toMenuAnswer(selected, { sort: 'sodium' }), { meal: 'lunch' }, ['lunch', 'dinner']);
  expect(text.split('\n').slice(0, 6)).toEqual([
    'R5 1식당 (welstory REST1), 2026-11-18 (Wednesday)',
    '## 중식 (lunch)',
    '- 물음표, sodium 30 mg',
    '- 샐러드, 300 kcal, protein 12 g, sodium 30 mg, takeout, sold out',
    '- [A] 제육볶음, 900 kcal, protein 40 g, sodium 40 mg: 쌀밥',
    '- 두부조림, 600 kcal, protein 55 g, sodium 40 mg',
  ]);
});

test('a text says what is not there, and why', () => {
  const write = (day: DailyMenu, meal?: 'dawn' | 'breakfast') =>
    toMenuText(toMenuAnswer(selectMenus(day, { meal }, TOMORROW_MS)), { meal }, ['lunch', 'dinner']);
  expect(write(DAY, 'dawn')).toContain('No dawn on this date. It has: lunch, dinner.');
  expect(write(DAY, 'breakfast')).toContain('None is published.');
  expect(write({ ...DAY, periods: [] })).toContain('No meal is published for this date.');
  const error = { code: 'circuit_open', retryable: true };
  const failed: MealPeriod = { code: '2', label: '중식', status: 'failed', menus: [], error };
  expect(write({ ...DAY, periods: [failed] })).toMatch(
    /Could not be read \(the operator failed several times/,
  );
  const stale: MealPeriod = {
    ...failed,
    status: 'stale',
    fetchedAt: '2026-11-17T01:00:00.000Z',
    menus: [menu('국')],
  };
  expect(write({ ...DAY, periods: [stale] })).toContain('read at 2026-11-17T01:00:00.000Z');
});

test('what changed since the morning is told by the clock of Seoul, the latest first and not without end', () => {
  const changes = Array.from({ length: 10 }, (_, hour) => ({
    kind: hour === 9 ? ('sold-out' as const) : ('added' as const),
    menuId: `${hour}`,
    name: `국\n${hour}`,
    at: `2026-11-18T0${hour}:30:00.000Z`,
  }));
  const day = { ...DAY, periods: [{ ...period('2', '중식', [menu('국')]), changes }] };
  const answer = toMenuAnswer(selectMenus(day, {}, TOMORROW_MS));
  expect(menuAnswerSchema.parse(answer)).toEqual(answer);
  expect(answer.periods[0]?.changes).toHaveLength(8);
  const [line] = toMenuText(answer, {}, []).match(/^Since the morning: .*$/m) ?? [];
  expect(line).toMatch(/^Since the morning: 18:30 sold out 국 9; 17:30 added 국 8; .*; 11:30 added 국 2$/);
});

test('of a day that is not read, a meal that is not in its list is not read either; its bundles say the same', () => {
  const loading: MealPeriod = { code: '2', label: '점심', status: 'loading', menus: [] };
  const snack = selectMenus({ ...DAY, periods: [loading] }, { meal: 'snack' }, TOMORROW_MS);
  expect(snack.periods).toMatchObject([{ code: '5', status: 'loading', choices: [] }]);
  const read = selectMenus(
    { ...DAY, periods: [period('2', '점심', [menu('국')])] },
    { meal: 'snack' },
    TOMORROW_MS,
  );
  expect(read.periods).toEqual([]);
  const unread = menu('묶음', undefined, undefined, {
    serving: 'take-out',
    bundle: { status: 'loading', items: [], error: { code: 'not_read_yet', retryable: true } },
  });
  const day = { ...DAY, periods: [period('2', '점심', [unread])] };
  expect(toMenuAnswer(selectMenus(day, {}, TOMORROW_MS)).periods[0]?.menus).toMatchObject([
    { itemsUnread: true },
  ]);
});

test('of a day of which something was read, a meal that it does not have is none that could not be read', () => {
  const periods: MealPeriod[] = [
    { code: '1', label: '아침', status: 'failed', menus: [] },
    period('2', '점심', [menu('국수')]),
  ];
  const restaurant = { vendor: 'welstory', id: 'R5', name: '1식당', location: [] } as const;
  const of = (listed: readonly MealPeriod[]) =>
    selectMenus({ restaurant, date: '2026-11-20', periods: listed }, { meal: 'dinner' }, 0).periods.map(
      ({ code, status }) => [code, status],
    );
  expect(of(periods)).toEqual([]);
  expect(of(periods.slice(0, 1))).toEqual([['3', 'failed']]);
});

test('one item of which the calories are known is no range', () => {
  const item = (name: string, caloriesKcal?: number) => ({
    id: name,
    name,
    ...(caloriesKcal === undefined ? {} : { nutrition: { caloriesKcal } }),
  });
  const range = (...items: ReturnType<typeof item>[]) =>
    rangeOf(menu('세트', undefined, undefined, { bundle: { status: 'ok', items } }), 'calories');
  expect(range(item('생수'), item('샐러드', 245))).toEqual({});
  expect(range(item('샌드위치', 391), item('샐러드', 245))).toEqual({ range: { min: 245, max: 391 } });
});
