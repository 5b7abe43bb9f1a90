import { createMenuService, type Meal, type MealReading, type Operator, planeatOperator } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { menu } from './fake-operator.ts';
import { fixture } from './fixture.ts';
import { manualClock, scriptedOperator } from './scripted-operator.ts';
import { operatorAnswering } from './shinsegae-operator.ts';

const BREAKFAST: Meal = { code: '1', label: '조식' };
const LUNCH: Meal = { code: '2', label: '중식' };

async function lunch(name: string) {
  const { operator } = operatorAnswering({ menus: [name] });
  await using closing = operator;
  const { value, droppedRows } = await closing.day('CAF35', '2026-11-18', [LUNCH]);
  const meal = value.find(({ code }) => code === '2');
  if (meal === undefined) throw new Error('the meal was not read');
  if ('error' in meal) throw meal.error;
  return { menus: meal.menus, droppedRows };
}

test('meals come by code with the operator’s own labels', async () => {
  const { operator } = operatorAnswering({});
  await using closing = operator;
  expect(await closing.meals('CAF35')).toEqual({
    droppedRows: 1,
    value: [
      { code: '1', label: '조식' },
      { code: '2', label: '중식' },
      { code: '3', label: '저녁' },
    ],
  });
});

test('a day is asked for by the codes and the place in the present tree, percent-encoded', async () => {
  const { operator, server } = operatorAnswering({});
  await using closing = operator;
  await closing.day('CAF36, CAF37', '2026-11-18', [LUNCH]);
  expect(Object.fromEntries(server.requests.at(-1)?.query ?? [])).toEqual({
    busiCd: 'B01',
    compCd: 'C01',
    storCd: 'CAF36, CAF37',
    orgTreeId: '1:0:1',
    saleDt: '2026-11-18',
    mealCd: '2',
    itemFg: '',
    packFg: '',
    today: 'Wed, 18 Nov 2026 03:00:00 GMT',
    listType: 'card',
    orderType: 'new',
  });
});

describe('a meal', () => {
  test('items with sides, marks and nutrition; only zeros mean unknown', async () => {
    const { menus, droppedRows } = await lunch('items');
    expect(droppedRows).toBe(0);
    expect(menus).toEqual([
      {
        id: '2.IT000123.1',
        name: '제육볶음',
        nameEn: 'Spicy Pork',
        corner: '코너 A',
        serving: 'take-in',
        soldOut: false,
        components: [
          { name: '제육볶음', main: true, nutrition: { caloriesKcal: 412 } },
          { name: '쌀밥', main: false, nutrition: { caloriesKcal: 300 } },
          { name: '배추김치', main: false },
        ],
        nutrition: {
          caloriesKcal: 905,
          carbohydratesG: 120.5,
          proteinG: 38.2,
          fatG: 21,
          saturatedFatG: 6,
          transFatG: 0.1,
          sugarG: 9,
          fiberG: 4,
          sodiumMg: 1820,
          cholesterolMg: 80,
          calciumMg: 88,
        },
      },
      {
        id: '2.IT000123.2',
        name: '잔치국수',
        serving: 'take-in',
        soldOut: true,
        components: [],
        nutrition: { caloriesKcal: 412 },
      },
      expect.objectContaining({ name: '비빔밥' }),
    ]);
    expect(menus[2]).not.toHaveProperty('nutrition');
  });

  test('take-out by the pack flag, by the own name, by calories, by size; not by the name of a side', async () => {
    const { menus } = await lunch('take-out');
    expect(menus.map(({ serving }) => serving)).toEqual([
      'take-out',
      'take-out',
      'take-out',
      'take-out',
      'take-out',
      'take-in',
    ]);
  });

  test('take-out is single items with their nutrition; what is too much for one person is not one', async () => {
    const { menus } = await lunch('take-out');
    expect(menus.map(({ nutrition, bundle }) => nutrition?.caloriesKcal ?? bundle?.status)).toEqual([
      905,
      905,
      905,
      'empty',
      'ok',
      905,
    ]);
    expect(menus[4]?.bundle?.items.map(({ name }) => name)).toEqual(
      menus[4]?.components.map(({ name }) => name),
    );
  });

  test('photos come from the https host, and not where they are hidden', async () => {
    const { menus } = await lunch('photos');
    expect(menus.map(({ photo }) => photo)).toEqual([
      {
        url: 'https://m.planeatchoice.net/upload/1.jpg',
        thumbnailUrl: 'https://m.planeatchoice.net/upload/t1.jpg',
      },
      { url: 'https://cdn.example/2.jpg' },
      undefined,
      { url: 'https://m.planeatchoice.net/upload/4.jpg' },
      undefined,
      undefined,
      { url: 'http://planeatchoice.net.evil.example/7.jpg' },
    ]);
  });

  test('a notice is no menu', async () => {
    expect((await lunch('notice')).menus.map(({ name }) => name)).toEqual(['제육볶음']);
    expect(await lunch('only-notice')).toEqual({ menus: [], droppedRows: 0 });
  });

  test('a row that cannot be read is dropped and counted; a member that cannot is absent', async () => {
    const { menus, droppedRows } = await lunch('unreadable-rows');
    expect(droppedRows).toBe(3);
    // An item without a code is told apart by its name.
    expect(menus.map(({ name }) => name)).toEqual(['제육볶음', '코드 없음', '냉면']);
    const [, , noodles] = menus;
    expect(noodles).toMatchObject({ serving: 'take-in', soldOut: false, components: [] });
    expect(noodles?.nutrition).toMatchObject({ caloriesKcal: 1475 });
    expect(noodles?.nutrition).not.toHaveProperty('fatG');
    expect(noodles?.nutrition).not.toHaveProperty('sodiumMg');
  });

  test('an item that comes twice counts once', async () => {
    expect((await lunch('repeated-item')).menus.map(({ name }) => name)).toEqual(['제육볶음']);
  });

  test.each(['ds-empty', 'ds-null', 'ds-missing'])(
    '%s: the operator answered that there is none',
    async (name) => {
      expect(await lunch(name)).toEqual({ menus: [], droppedRows: 0 });
    },
  );

  test('rows of which none can be read are a failure, never an empty meal', async () => {
    await expect(lunch('no-readable-row')).rejects.toMatchObject({
      code: 'operator_answer_invalid',
      retryable: true,
    });
  });

  test('an item belongs to the meal that it names itself, also one that was not asked for', async () => {
    const { operator } = operatorAnswering({ menus: ['other-meal'] });
    await using closing = operator;
    const { value } = await closing.day('CAF35', '2026-11-18', [BREAKFAST, LUNCH]);
    const served = value.map((meal) => [
      meal.label,
      'menus' in meal ? meal.menus.map(({ name }) => name) : meal.error,
    ]);
    expect(served).toEqual([
      ['조식', ['토스트']],
      ['중식', ['제육볶음']],
      ['야식', ['야식']],
    ]);
  });
});

test.each([
  [
    'other-meal',
    [
      ['1', ['토스트']],
      ['2', ['제육볶음']],
    ],
  ],
  ['ds-empty', []],
])(
  'while a day is read, a meal is reported with its menus, and never as one without any: %s',
  async (menus, told) => {
    const readings: MealReading[] = [];
    const { operator } = operatorAnswering({ menus: [menus] });
    await using closing = operator;
    await closing.day('CAF35', '2026-11-18', [BREAKFAST, LUNCH], {
      onMeal: (reading) => void readings.push(reading),
    });
    const known = readings.map((meal) => [
      meal.code,
      'menus' in meal ? meal.menus.map(({ name }) => name) : meal.error.code,
    ]);
    expect(known).toEqual(told);
  },
);

test('an item of a meal that nobody knows is of the meal that was asked for', async () => {
  const ds = [{ itemNmDp: '비빔밥', itemCd: 'IT1', itemSeq: 1, mealCd: 'ZZ' }];
  const server = scriptedOperator({
    '/v2/storTree': [fixture('shinsegae/tree')],
    '/v2/portal/dailyMenu': [JSON.stringify({ ds })],
  });
  await using operator = planeatOperator({
    baseUrl: 'https://planeat.test/v2',
    fetch: server.fetch,
    clock: manualClock(),
  });
  const { value } = await operator.day('CAF35', '2026-11-18', [LUNCH]);
  expect(value).toMatchObject([{ code: '2', menus: [{ name: '비빔밥' }] }]);
});

test('a meal that fails stays failed, even if another answer holds items of it', async () => {
  const server = scriptedOperator({
    '/v2/storTree': [fixture('shinsegae/tree')],
    '/v2/portal/dailyMenu': [
      (request) => {
        const failing = new URL(request.url).searchParams.get('mealCd') === '1';
        return failing ? new Response('', { status: 404 }) : new Response(fixture('shinsegae/other-meal'));
      },
    ],
  });
  await using operator = planeatOperator({
    baseUrl: 'https://planeat.test/v2',
    fetch: server.fetch,
    clock: manualClock(),
  });
  const { value } = await operator.day('CAF35', '2026-11-18', [BREAKFAST, LUNCH]);
  expect(value).toMatchObject([
    { code: '1', error: { code: 'operator_refused' } },
    { code: '2', menus: [{ name: '제육볶음' }] },
    { code: '4' },
  ]);
  expect(value[0]).not.toHaveProperty('menus');
});

test('once closed, everything is answered with `closed`, what the tree tells included', async () => {
  const { operator } = operatorAnswering({ menus: ['items'] });
  await operator.day('CAF35', '2026-11-18', [LUNCH]);
  await operator[Symbol.asyncDispose]();
  const calls: Readonly<Record<string, () => Promise<unknown>>> = {
    restaurants: () => operator.restaurants(),
    meals: () => operator.meals('CAF35'),
    'meals of nobody': () => operator.meals('CAF99'),
    'day without meals': () => operator.day('CAF35', '2026-11-18', []),
    menuDetail: () => operator.menuDetail('CAF35', '2026-11-18', menu('1.A.1')),
  };
  for (const [name, call] of Object.entries(calls))
    await expect(call(), name).rejects.toMatchObject({ code: 'closed', retryable: false });
});

describe('texts that no client could show', () => {
  const named = async (names: readonly string[]) => {
    const clock = manualClock();
    const ds = names.map((itemNmDp, itemSeq) => ({ itemNmDp, itemSeq, itemCd: `IT${itemSeq}`, mealCd: '2' }));
    const server = scriptedOperator({
      '/v2/storTree': [fixture('shinsegae/tree')],
      '/v2/portal/dailyMenu': [JSON.stringify({ ds })],
    });
    const options = { baseUrl: 'https://planeat.test/v2', fetch: server.fetch, clock, random: () => 0 };
    await using operator: Operator = planeatOperator(options);
    const { value, droppedRows } = await operator.day('CAF35', '2026-11-18', [LUNCH]);
    return {
      names: value.flatMap((meal) => ('error' in meal ? [] : meal.menus.map(({ name }) => name))),
      droppedRows,
    };
  };

  test('a name of nothing that is seen is no name', async () => {
    expect(await named(['제육볶음', ' \u200b\ufeff', '\u0000\u00a0', '\u3164\u00ad'])).toEqual({
      names: ['제육볶음'],
      droppedRows: 3,
    });
  });

  test('a text that was cut amid a character is well-formed, and a long one is not cut amid one', async () => {
    const { names } = await named(['제육볶음 \ud83c', `${'가'.repeat(499)}\u{1f35a}밥`]);
    expect(names).toEqual(['제육볶음 \ufffd', '가'.repeat(499)]);
  });
});

test('an answer in another encoding is not read, whatever it says of itself', async () => {
  const korean = Buffer.concat([
    Buffer.from('{"ds":[{"itemCd":"IT1","itemSeq":1,"mealCd":"2","itemNmDp":"'),
    Buffer.from([0xc1, 0xa6, 0xc0, 0xb0, 0xba, 0xba, 0xc0, 0xbd]),
    Buffer.from('"}]}'),
  ]);
  const server = scriptedOperator({
    '/v2/storTree': [fixture('shinsegae/tree')],
    '/v2/portal/dailyMenu': [
      () => new Response(korean, { headers: { 'content-type': 'application/json; charset=euc-kr' } }),
    ],
  });
  await using operator: Operator = planeatOperator({
    baseUrl: 'https://planeat.test/v2',
    fetch: server.fetch,
    clock: manualClock(),
    random: () => 0,
  });
  const { value } = await operator.day('CAF35', '2026-11-18', [LUNCH]);
  expect(value).toMatchObject([{ code: '2', error: { code: 'operator_answer_invalid', retryable: true } }]);
});

test.each(['999999', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Sat, 13 Sep 275760 00:00:00 GMT'])(
  'Retry-After: %s leaves the operator alone for an hour, not for ever',
  async (retryAfter) => {
    const server = scriptedOperator({
      '/v2/storTree': [() => new Response('', { status: 503, headers: { 'retry-after': retryAfter } })],
    });
    const clock = manualClock();
    const options = { baseUrl: 'https://planeat.test/v2', fetch: server.fetch, clock, random: () => 0 };
    await using service = createMenuService({ operators: [planeatOperator(options)], clock });
    const circuit = async () => (await service.health()).operators[0]?.circuit;
    await service.restaurants();
    while ((await circuit())?.state === 'closed') {
      clock.advance(60_000);
      await service.restaurants();
    }
    const { retryAt } = (await circuit()) ?? {};
    const pausedMs = Date.parse(retryAt ?? '') - clock.nowMs();
    expect(pausedMs).toBeGreaterThan(3_000_000);
    expect(pausedMs).toBeLessThanOrEqual(3_600_000);
  },
);
