import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnyClient, CLIENTS } from './support/clients.ts';
import { listen } from './support/listen.ts';
import { type Menus, NOON_MS, openMenus, TODAY } from './support/menus.ts';

const ORIGIN = 'https://menu.example.org';
const resources = new AsyncDisposableStack();
let menus: Menus;
let client: AnyClient;

beforeAll(async () => {
  menus = resources.use(await openMenus());
  // A search for dishes knows only what has been read.
  const { restaurants } = await menus.service.search('강남', { limit: 5 });
  for (const { vendor, id } of restaurants) await menus.service.week(vendor, id, TODAY);
  const handler = resources.use(
    createMenuMcpHandler(menus.service, {
      clock: () => NOON_MS,
      pageUrl: ({ vendor, id }, date) =>
        `${ORIGIN}/restaurants/${vendor}/${encodeURIComponent(id)}${date === undefined ? '' : `/-/${date.replaceAll('-', '')}`}`,
      photoUrl: ({ vendor, id }, date, menu) =>
        `${ORIGIN}/img/${vendor}/${encodeURIComponent(id)}/${date.replaceAll('-', '')}/${encodeURIComponent(menu.id)}`,
    }),
  );
  const endpoint = resources.use(await listen(handler.fetch));
  client = resources.use(await CLIENTS['SDK 1.x']({ url: endpoint.url }));
});
afterAll(() => resources.disposeAsync());

/** Everything that a client may show a model: the text and the value. */
const tokens = (result: Record<string, unknown>): number =>
  countTokens(JSON.stringify([result['content'], result['structuredContent']]));

interface Named {
  name: string;
  nutrition?: { caloriesKcal?: number };
}
interface Answer {
  restaurants: { vendor: string; id: string; name: string }[];
  periods: { meal: string; menus: (Named & { items?: Named[] })[] }[];
}
async function call(name: string, args: object) {
  const result = await client.callTool({ name, arguments: { ...args } });
  expect(result['isError']).toBeUndefined();
  const [{ text }] = result['content'] as [{ text: string }];
  return { answer: result['structuredContent'] as Answer, text, tokens: tokens(result) };
}

test('a meal is at most 1,500 tokens and a day 4,000, in the restaurants that serve the most', async () => {
  const { restaurants } = await menus.service.restaurants();
  const sized = restaurants.map(({ vendor, id }) => {
    const counts = menus.sandbox.plan(vendor, id, TODAY).map(({ courses }) => courses.length);
    return { vendor, restaurantId: id, day: counts.reduce((a, b) => a + b, 0), meal: Math.max(0, ...counts) };
  });
  const largest = (by: 'day' | 'meal') => sized.toSorted((a, b) => b[by] - a[by]).slice(0, 6);
  for (const { vendor, restaurantId } of [...largest('day'), ...largest('meal')]) {
    for (const sort of [undefined, 'sodium'])
      expect((await call('get_restaurant_menu', { vendor, restaurantId, sort })).tokens).toBeLessThanOrEqual(
        4_000,
      );
    for (const meal of ['breakfast', 'lunch', 'dinner', 'late-night', 'dawn']) {
      const read = await call('get_restaurant_menu', { vendor, restaurantId, meal, sort: 'sodium' });
      expect(read.tokens, `${restaurantId} ${meal}`).toBeLessThanOrEqual(1_500);
    }
  }
});

test('lunch at R5 with the least calories is a whole meal, found in two calls and at most 2,500 tokens', async () => {
  const found = await call('search_restaurants', { query: 'R5' });
  const [first] = found.answer.restaurants;
  const lunch = await call('get_restaurant_menu', {
    vendor: first?.vendor,
    restaurantId: first?.id,
    meal: 'lunch',
    sort: 'calories',
  });
  expect(found.tokens + lunch.tokens).toBeLessThanOrEqual(2_500);
  const [period] = lunch.answer.periods;
  const caloriesOf = ({ nutrition }: Named): number => nutrition?.caloriesKcal ?? Infinity;
  const groups = [
    (period?.menus ?? []).filter((menu) => menu.items === undefined).map(caloriesOf),
    (period?.menus ?? []).flatMap(({ items }) => (items === undefined ? [] : caloriesOf(items[0] as Named))),
  ];
  expect(groups.map(({ length }) => length > 1)).toEqual([true, true]);
  for (const calories of groups) expect(calories).toEqual(calories.toSorted((a, b) => a - b));
  expect(lunch.text.split('\n').find((line) => line.startsWith('- '))).toContain(period?.menus[0]?.name);
  expect(period?.menus[0]?.items).toBeUndefined();
  expect(lunch.text).toMatch(/one of \(\d+ to \d+ kcal\): /);
});

/** What people ask, and how an assistant finds it out: each step is a call, made from the results before it. */
type Step = (...before: readonly Answer[]) => readonly [name: string, args: object];
const search =
  (args: object): Step =>
  () => ['search_restaurants', { limit: 3, ...args }];
const read =
  (args: object): Step =>
  ({ restaurants: [first] }) => [
    'get_restaurant_menu',
    { vendor: first?.vendor, restaurantId: first?.id, ...args },
  ];
const compare =
  (count: number, args: object): Step =>
  ({ restaurants }) => [
    'compare_menus',
    {
      restaurants: restaurants.slice(0, count).map(({ vendor, id }) => ({ vendor, restaurantId: id })),
      ...args,
    },
  ];
const dishes =
  (args: object): Step =>
  () => ['search_dishes', args];
const WEEK = ['월요일', '화요일', '수요일', '목요일', '금요일'];

const QUESTIONS: readonly (readonly [question: string, steps: readonly Step[], told: RegExp])[] = [
  ['R5 오늘 점심 뭐 나와?', [search({ query: 'R5' }), read({ meal: 'lunch' })], /\(lunch\)\n- .* kcal/],
  ['강남역 근처 구내식당 알려줘', [search({ query: '강남역 근처 구내식당' })], /강남/],
  [
    'R5에서 내일 제일 가벼운 점심은?',
    [search({ query: 'R5에서' }), read({ date: '내일점심', sort: 'calories' })],
    /2026-11-19 \(Thursday\)\n[^]*\(lunch\)\n- .* kcal/,
  ],
  ['이번 주 강남에서 돈까스 나오는 곳?', [dishes({ query: '돈까스', place: '강남' })], /돈까스.* at .*강남/],
  [
    'R5 다음 주 점심 메뉴 비교해줘',
    [search({ query: 'R5' }), compare(1, { dates: WEEK })],
    /2026-11-23 \(Monday\): \S/,
  ],
  [
    'Which of the cafeterias at R5 has the lightest lunch tomorrow?',
    [search({ query: 'R5' }), compare(3, { dates: ['tomorrow'], meal: 'lunch' })],
    /## .*\n- 2026-11-19 \(Thursday\): [^;]* kcal, protein [^;]*;.*one of several, \d+ to \d+ kcal, takeout/,
  ],
  ['Where in Pangyo can I eat?', [search({ place: 'Pangyo' })], /판교/],
  [
    'What is for dinner next Friday at R5?',
    [search({ query: 'R5' }), read({ date: 'next friday', meal: 'dinner' })],
    /2026-11-27 \(Friday\)/,
  ],
  [
    'Is R5 open on Sunday?',
    [search({ query: 'R5' }), read({ date: 'sunday' })],
    /The next day with a menu is 2026-11-23 \(Monday\)/,
  ],
  [
    'Most protein for lunch today at R5?',
    [search({ query: 'R5' }), read({ meal: 'lunch', sort: 'protein' })],
    /\(lunch\)\n- .*protein \d+/,
  ],
];

test.each(QUESTIONS)('%s takes at most 3 calls and 2,500 tokens', async (_question, steps, told) => {
  expect(steps.length).toBeLessThanOrEqual(3);
  const results: Awaited<ReturnType<typeof call>>[] = [];
  for (const step of steps) results.push(await call(...step(...results.map(({ answer }) => answer))));
  expect(results.at(-1)?.text).toMatch(told);
  expect(results.reduce((sum, result) => sum + result.tokens, 0)).toBeLessThanOrEqual(2_500);
});

test('five restaurants on five days are compared in one call of at most 2,000 tokens that says what it leaves out', async () => {
  const { restaurants } = await menus.service.search('R5', { limit: 5 });
  const {
    answer,
    text,
    tokens: count,
  } = await call('compare_menus', {
    restaurants: restaurants.map(({ vendor, id }) => ({ vendor, restaurantId: id })),
    dates: WEEK,
  });
  expect(count).toBeLessThanOrEqual(2_000);
  const compared = answer.restaurants as unknown as { days: { menus: unknown[]; more?: number }[] }[];
  expect(compared.map(({ days }) => days.length)).toEqual(restaurants.map(() => 5));
  expect(text).toContain(' more');
});

test('a comparison shows each day at the meal that was asked for on it, and each restaurant once', async () => {
  const { restaurants } = await menus.service.search('R5 1식당', { limit: 1 });
  const [r5] = restaurants.map(({ vendor, id }) => ({ vendor, restaurantId: id }));
  const { answer, text } = await call('compare_menus', {
    restaurants: [r5, r5],
    dates: ['내일 저녁', '오늘점심', 'tonight', '모레', 'today lunch'],
  });
  expect(text.match(/^## /gm)).toHaveLength(1);
  expect(text).toMatch(
    / \(Wednesday\), lunch: .+\n- 2026-11-18 \(Wednesday\): .+\n- 2026-11-19 \(Thursday\): /,
  );
  const [compared] = answer.restaurants as unknown as { days: { date: string; meal?: string }[] }[];
  expect(compared?.days.map(({ date, meal }) => [date, meal])).toEqual([
    ['2026-11-18', 'lunch'],
    ['2026-11-18', undefined],
    ['2026-11-19', undefined],
    ['2026-11-20', undefined],
  ]);
});

test('a comparison refuses more than five, and says of one that it does not know which tool knows', async () => {
  const failed = async (args: object) => {
    const result = await client.callTool({ name: 'compare_menus', arguments: { ...args } });
    return [result['isError'], JSON.stringify(result['content'])];
  };
  const one = { vendor: 'welstory', restaurantId: 'REST000007' };
  const six = Array.from({ length: 6 }, () => one);
  expect(await failed({ restaurants: six })).toEqual([
    true,
    expect.stringContaining('Send restaurants: 1 to 5'),
  ]);
  expect(await failed({ restaurants: [one], dates: [...WEEK, 'sunday'] })).toEqual([
    true,
    expect.stringContaining('Send dates'),
  ]);
  expect(await failed({ restaurants: [one], dates: ['someday'] })).toEqual([
    true,
    expect.stringContaining('Send date as today'),
  ]);
  expect(await failed({ restaurants: [{ ...one, restaurantId: 'x' }] })).toEqual([
    true,
    expect.stringContaining('Call search_restaurants'),
  ]);
});
