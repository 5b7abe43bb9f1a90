import {
  type OperatorFact,
  type Sandbox,
  SHINSEGAE_FACTS,
  startSandbox,
  type Vendor,
  WELSTORY_FACTS,
} from 'menu-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDailyMenu, parseMeals as parseTimes } from '../src/shinsegae/parse-daily-menu.ts';
import { parseTree } from '../src/shinsegae/parse-tree.ts';
import { parseMeals, parseRestaurants } from '../src/welstory/parse-catalogue.ts';
import { parseDishes, parseDishNutrition, parseItems } from '../src/welstory/parse-detail.ts';
import { nullAnswerOf, parseSessionToken } from '../src/welstory/parse-envelope.ts';
import { parseMealList } from '../src/welstory/parse-meal-list.ts';

/** One object that takes the part of each answer: it has whatever a parser asks it for, and notes what that was. */
type Seen = Set<string>;

/** The answer, noting each member that is read from it, with where it is. */
function watched(value: unknown, within: string, seen: Seen): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  return new Proxy(value, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || (isList && !/^\d+$/.test(name))) return member;
      if (isList) return watched(member, `${within}[]`, seen);
      seen.add(`${within} ${name}`);
      return watched(member, `${within}.${name}`.replace(/^\./, ''), seen);
    },
  });
}

/** Each parser of an answer, by operator and path. */
const PARSERS: Readonly<Record<Vendor, Readonly<Record<string, readonly ((answer: unknown) => unknown)[]>>>> =
  {
    welstory: {
      '/session': [parseSessionToken],
      '/api/mypage/rest-list': [nullAnswerOf, parseRestaurants],
      '/api/menu/getMealTimeList': [nullAnswerOf, parseMeals],
      '/api/meal': [nullAnswerOf, (answer) => parseMealList(answer, '2')],
      '/api/meal/detail': [nullAnswerOf, parseDishes],
      '/api/meal/detail/nutrient': [nullAnswerOf, parseDishNutrition, (answer) => parseItems(answer, '')],
    },
    shinsegae: {
      '/storTree': [parseTree],
      '/storTime': [parseTimes],
      '/portal/dailyMenu': [(answer) => parseDailyMenu(answer, '2')],
    },
  };

/** Answers that lead the parsers to every member: some are only read where another one is missing. */
const ROW = { type: 'STOR', title: {}, data: {}, children: [] };
const STORE = { ...ROW, data: { busiCd: 'a', compCd: 'b', storCd: 'c' } };
const ANSWERS: Readonly<Record<string, readonly unknown[]>> = {
  '/session': [{ data: 'a.b.c' }],
  '/api/mypage/rest-list': [{ data: [{ restaurantCode: '1', restaurantName: '식당' }] }],
  '/api/meal': [
    {
      data: {
        mealList: [{ menuName: '쌀밥', subMenuTxt: '국, 김치' }],
        smartOrderMenuList: [{ menuName: '국수' }],
      },
    },
  ],
  '/storTree': [[ROW, STORE], ...['ds', 'resultList', 'data', 'list'].map((wrapper) => ({ [wrapper]: [] }))],
  '/storTime': [{ mealData: [{ mealCd: '2' }] }],
  '/portal/dailyMenu': [
    { ds: [{ itemNmDp: '비빔밥', fileUpload: [{}], dailySubMenuDtos: [{ subItemNmDp: '국' }] }] },
  ],
};
const LIST: readonly unknown[] = [
  { data: [{ menuName: '쌀밥', restaurantId: '1', restaurantName: '식당', code: '2' }] },
];

function readBy(vendor: Vendor, path: string, answers: readonly unknown[]): readonly string[] {
  const seen: Seen = new Set();
  for (const parse of PARSERS[vendor][path] ?? []) {
    for (const answer of answers) {
      try {
        parse(watched(answer, '', seen));
      } catch {
        // What cannot be read has been looked at all the same.
      }
    }
  }
  return [...seen].sort();
}

const known = (facts: readonly OperatorFact[], path: string) =>
  facts
    .filter((fact) => fact.path === path && fact.unused === undefined)
    .map(({ within, member }) => `${within} ${member}`)
    .sort();

const PATHS = (['welstory', 'shinsegae'] as const).flatMap((vendor) =>
  Object.keys(PARSERS[vendor]).map((path) => [vendor, path] as const),
);
const FACTS: Readonly<Record<Vendor, readonly OperatorFact[]>> = {
  welstory: WELSTORY_FACTS,
  shinsegae: SHINSEGAE_FACTS,
};

test.each(PATHS)(
  '%s %s: the parsers read the members of the facts, each of them and no others',
  (vendor, path) => {
    expect(readBy(vendor, path, ANSWERS[path] ?? LIST)).toEqual(known(FACTS[vendor], path));
  },
);

test('each path of the facts has a parser', () => {
  const paths = Object.values(FACTS).flatMap((facts) =>
    facts.map(({ operator, path }) => `${operator} ${path}`),
  );
  expect([...new Set(paths)].sort()).toEqual(PATHS.map((pair) => pair.join(' ')).sort());
});

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'recorded', latencyMs: 0 });
});
afterAll(async () => {
  await sandbox.close();
});

test('of recorded answers nothing is read that is not among the facts', async () => {
  const device = { 'x-device-id': 'd' };
  const login = await fetch(`${sandbox.welstoryUrl}/login`, {
    method: 'POST',
    headers: device,
    body: new URLSearchParams({ username: 'sandbox', password: 'sandbox' }),
  });
  const headers = { ...device, authorization: login.headers.get('authorization') ?? '' };
  const get = async (path: string) => (await fetch(`${sandbox.welstoryUrl}${path}`, { headers })).json();
  const day = 'menuDt=20261118&menuMealType=2';
  const ids = sandbox.restaurants.filter(({ vendor }) => vendor === 'welstory').slice(0, 12);
  const meals: unknown[] = [];
  for (const { id } of ids) meals.push(await get(`/api/meal?${day}&restaurantCode=${id}`));
  expect(known(WELSTORY_FACTS, '/api/meal')).toEqual(
    expect.arrayContaining([...readBy('welstory', '/api/meal', meals)]),
  );
  const tree: unknown = await (await fetch(`${sandbox.planeatUrl}/storTree`)).json();
  const inTree = readBy('shinsegae', '/storTree', [tree]).map((name) =>
    name.replace(/^\[\](?:\.children\[\])+/, '[]'),
  );
  expect(known(SHINSEGAE_FACTS, '/storTree')).toEqual(expect.arrayContaining([...new Set(inTree)]));
});
