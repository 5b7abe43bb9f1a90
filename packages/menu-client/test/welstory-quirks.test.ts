import { type Menu, type Operator, type Reading, welstoryOperator } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { fixture } from './fixture.ts';
import { manualClock, type ScriptedOperator, scriptedOperator, token } from './scripted-operator.ts';

const LUNCH = { code: '2', label: '중식' } as const;

function operatorAnswering(path: string, name: string, others: Record<string, readonly string[]> = {}) {
  const clock = manualClock();
  const server = scriptedOperator({
    '/login': [() => new Response('{}', { headers: { authorization: token(clock, 'first') } })],
    [path]: [fixture(`welstory/${name}`)],
    ...others,
  });
  return { server, operator: operatorOver(server, clock) };
}

function operatorOver(server: ScriptedOperator, clock = manualClock()): Operator {
  return welstoryOperator({
    baseUrl: 'https://welstory.test',
    username: 'u',
    password: 'p',
    fetch: server.fetch,
    clock,
    random: () => 0,
  });
}

async function lunch(name: string): Promise<Reading<readonly Menu[]>> {
  const { operator } = operatorAnswering('/api/meal', name);
  await using closing = operator;
  const { value, droppedRows } = await closing.day('REST000007', '2026-11-18', [LUNCH]);
  const [meal] = value;
  if (meal === undefined) throw new Error('the meal was not read');
  if ('error' in meal) throw meal.error;
  return { value: meal.menus, droppedRows };
}

describe('restaurants', () => {
  async function restaurants(name: string) {
    const { operator } = operatorAnswering('/api/mypage/rest-list', name);
    await using closing = operator;
    return await closing.restaurants();
  }

  test('either id, either bar in the breadcrumbs, without the own name and repeats', async () => {
    expect(await restaurants('restaurants-either-id')).toEqual({
      droppedRows: 0,
      value: [
        { vendor: 'welstory', id: 'REST000007', name: 'R5 식당', location: ['한빛전자', '수원사업장'] },
        { vendor: 'welstory', id: 'REST000008', name: '강남 식당', location: ['한빛전자', '서울 강남구'] },
        { vendor: 'welstory', id: 'REST000009', name: '별관 식당', location: [] },
      ],
    });
  });

  test('the operator’s own and closed ones are not shown', async () => {
    const { value, droppedRows } = await restaurants('restaurants-hidden');
    expect(value.map(({ name }) => name)).toEqual(['강남 식당']);
    expect(droppedRows).toBe(0);
  });

  test('a row that cannot be read is dropped and counted', async () => {
    const { value, droppedRows } = await restaurants('restaurants-unreadable-rows');
    expect(value).toEqual([{ vendor: 'welstory', id: 'REST000007', name: 'R5 식당', location: [] }]);
    expect(droppedRows).toBe(5);
  });
});

test('meals come by code, once each, with the operator’s own labels', async () => {
  const { operator, server } = operatorAnswering('/api/menu/getMealTimeList', 'meal-times');
  await using closing = operator;
  expect(await closing.meals('REST 7;x')).toEqual({
    droppedRows: 0,
    value: [
      { code: '1', label: '아침' },
      { code: '2', label: '중식' },
      { code: '3', label: '석식' },
      { code: '9', label: '회식' },
    ],
  });
  expect(server.requests.at(-1)?.headers.get('cookie')).toBe('cafeteriaActiveId=REST%207%3Bx');
});

describe('a meal', () => {
  test('rows are dishes of one course; numbers carry commas; only zeros mean unknown', async () => {
    const { value } = await lunch('dishes-in-rows');
    expect(value).toEqual([
      {
        id: '2.E5E6.AA',
        name: '제육볶음',
        nameEn: 'Spicy Pork',
        corner: 'A:한식',
        serving: 'take-in',
        soldOut: false,
        components: [
          { name: '제육볶음', nameEn: 'Spicy Pork', main: true, nutrition: { caloriesKcal: 412 } },
          { name: '쌀밥', nameEn: 'Rice', main: false, nutrition: { caloriesKcal: 300 } },
          { name: '배추김치', main: false },
        ],
        nutrition: { caloriesKcal: 1475, proteinG: 38.2, fatG: 21, sugarG: 9, sodiumMg: 1820 },
      },
      expect.objectContaining({ id: '2.E5E6.BB', name: '잔치국수', nutrition: { caloriesKcal: 532 } }),
    ]);
  });

  test('or one row is a course with its sides in a text', async () => {
    const { value } = await lunch('course-in-one-row');
    expect(value.map(({ components }) => components.map(({ name }) => name))).toEqual([
      ['제육볶음', '쌀밥', '된장국', '배추김치(배추,고춧가루:국내산)'],
      [],
      ['도시락', '주먹밥', '샐러드', '과일'],
    ]);
    expect(value[0]?.components.map(({ main }) => main)).toEqual([true, false, false, false]);
  });

  test('take-out by sales type, by size, by calories, by the mark of a dish', async () => {
    const { value } = await lunch('take-out');
    expect(value.map(({ name, serving }) => `${name} ${serving}`)).toEqual([
      '샌드위치 take-out',
      '뷔페 take-out',
      '한정식 take-out',
      '대용량팩 take-out',
      '백반 take-in',
    ]);
  });

  test('take-out is a bundle of items to ask for, without the sum of all choices', async () => {
    const { value } = await lunch('take-out');
    const unread = { status: 'loading', items: [], error: { code: 'not_read_yet', retryable: true } };
    expect(value.map(({ bundle }) => bundle)).toEqual([unread, unread, unread, unread, undefined]);
    expect(value.map(({ nutrition }) => nutrition?.caloriesKcal)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      1475,
    ]);
  });

  test('photos are folder and file name together; either may be empty', async () => {
    const { value } = await lunch('photos');
    expect(value.map(({ photo }) => photo?.url)).toEqual([
      'http://photos.example/recipe/E5E6/1.jpg',
      'http://photos.example/recipe/2.jpg',
      'http://photos.example/recipe/3.jpg',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a row that cannot be read is dropped and counted; a member that cannot is absent', async () => {
    const { value, droppedRows } = await lunch('unreadable-rows');
    expect(droppedRows).toBe(3);
    // The row without a course is a menu of its own.
    expect(value).toHaveLength(3);
    const noodles = value.find(({ name }) => name === '냉면');
    expect(noodles).toMatchObject({ id: '2.E5E6.DD', serving: 'take-in' });
    expect(noodles).not.toHaveProperty('nutrition');
    expect(noodles).not.toHaveProperty('photo');
  });

  test.each(['meal-list-null', 'meal-list-empty', 'data-null'])(
    '%s: the operator answered that there is none',
    async (name) => {
      expect(await lunch(name)).toEqual({ value: [], droppedRows: 0 });
    },
  );

  test.each(['data-missing', 'data-wrong-type', 'no-readable-row'])(
    '%s is a failure, never an empty meal',
    async (name) => {
      await expect(lunch(name)).rejects.toMatchObject({ code: 'operator_answer_invalid', retryable: true });
    },
  );
});

const BUNDLE: Menu = {
  id: '2.E5E6.BB',
  name: '햄에그샌드위치',
  serving: 'take-out',
  soldOut: false,
  components: [],
};

async function items(name: string) {
  const { operator, server } = operatorAnswering('/api/meal/detail/nutrient', name);
  await using closing = operator;
  return { reading: await closing.bundleItems('REST000007', '2026-11-18', BUNDLE), server };
}

test('the items of a bundle come by one request, each with its own nutrition, the bundle’s name of zeros left out', async () => {
  const { reading, server } = await items('items');
  expect(reading).toEqual({
    droppedRows: 1,
    value: [
      {
        id: '햄에그샌드위치',
        name: '햄에그샌드위치',
        nutrition: {
          caloriesKcal: 391,
          carbohydratesG: 37,
          proteinG: 18,
          fatG: 19,
          sugarG: 6,
          fiberG: 3,
          sodiumMg: 1780,
          calciumMg: 77,
        },
      },
      { id: '생수', name: '생수' },
      { id: '샐러드', name: '샐러드', nutrition: { caloriesKcal: 245 } },
      { id: '샐러드 2', name: '샐러드', nutrition: { caloriesKcal: 1245 } },
    ],
  });
  expect(server.requests.filter(({ path }) => path.startsWith('/api'))).toHaveLength(1);
  expect(Object.fromEntries(server.requests.at(-1)?.query ?? [])).toEqual({
    menuDt: '20261118',
    menuMealType: '2',
    restaurantCode: 'REST000007',
    hallNo: 'E5E6',
    menuCourseType: 'BB',
  });
});

test.each(['data-missing', 'data-wrong-type'])(
  'items of %s are a failure, never a bundle of nothing',
  async (name) => {
    await expect(items(name)).rejects.toMatchObject({ code: 'operator_answer_invalid' });
  },
);

test('the detail of a menu adds the nutrition of each dish and the totals of the course', async () => {
  const { operator, server } = operatorAnswering('/api/meal/detail', 'detail', {
    '/api/meal/detail/nutrient': [fixture('welstory/nutrient')],
  });
  await using closing = operator;
  const menu: Menu = {
    id: '2.E5%2EE6.AA',
    name: '제육볶음',
    serving: 'take-in',
    soldOut: false,
    components: [],
    nutrition: { caloriesKcal: 1475 },
  };
  expect(await closing.menuDetail('REST000007', '2026-11-18', menu)).toEqual({
    ...menu,
    components: [
      {
        name: '제육볶음',
        main: true,
        nutrition: {
          caloriesKcal: 412,
          carbohydratesG: 20,
          proteinG: 30,
          fatG: 20,
          sugarG: 8,
          fiberG: 2,
          sodiumMg: 1200,
          calciumMg: 40,
        },
      },
      { name: '쌀밥', main: false, nutrition: { caloriesKcal: 300 } },
    ],
    nutrition: {
      caloriesKcal: 1475,
      carbohydratesG: 120,
      proteinG: 38.2,
      fatG: 21,
      sugarG: 9,
      fiberG: 4,
      sodiumMg: 1820,
      calciumMg: 88,
    },
  });
  expect(Object.fromEntries(server.requests.at(-1)?.query ?? [])).toEqual({
    menuDt: '20261118',
    menuMealType: '2',
    restaurantCode: 'REST000007',
    hallNo: 'E5.E6',
    menuCourseType: 'AA',
  });
});
