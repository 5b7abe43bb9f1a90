import * as fc from 'fast-check';
import {
  MENU_ERRORS,
  type Menu,
  MenuError,
  type Nutrition,
  type Operator,
  planeatOperator,
  welstoryOperator,
} from 'menu-client';
import { testRuns } from 'test-support/test-runs';
import { describe, expect, test } from 'vitest';
import { fixture } from './fixture.ts';
import { manualClock, scriptedOperator, token } from './scripted-operator.ts';

const MEALS = [
  { code: '2', label: '점심' },
  { code: '3', label: '저녁' },
] as const;

/** Anything at all in the place of each member of a recorded answer, and in the place of the answer. */
function damaged(name: string): fc.Arbitrary<string> {
  const recorded: unknown = JSON.parse(fixture(name));
  const seeds = fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 3 })), { minLength: 1, maxLength: 6 });
  const mutated = seeds.map((changes) =>
    changes.reduce<unknown>((value, [at, to]) => replace(value, at, to), recorded),
  );
  const texts = fc.oneof(
    { weight: 3, arbitrary: mutated.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );
  return texts;
}

/** The value with its member number `at`, counted through the whole tree, replaced. */
function replace(value: unknown, at: number, to: unknown): unknown {
  const total = count(value);
  let left = at % total;
  const walk = (item: unknown): unknown => {
    if (left === 0) {
      left -= 1;
      return to;
    }
    left -= 1;
    if (left < -1 || typeof item !== 'object' || item === null) return item;
    if (Array.isArray(item)) return item.map(walk);
    return Object.fromEntries(Object.entries(item).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value);
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + count(member), 1);
}

function operatorAnswering(path: string, body: string) {
  const clock = manualClock();
  const server = scriptedOperator({
    '/login': [() => new Response('{}', { headers: { authorization: token(clock, 'only') } })],
    '/session': [fixture('welstory/data-null')],
    '/api/menu/getMealTimeList': [fixture('welstory/meal-times')],
    '/api/meal': [fixture('welstory/dishes-in-rows')],
    '/api/meal/detail': [fixture('welstory/detail')],
    '/api/meal/detail/nutrient': [fixture('welstory/nutrient')],
    '/v2/storTree': [fixture('shinsegae/tree')],
    [path]: [() => new Response(body)],
  });
  const common = { fetch: server.fetch, clock, random: () => 0 };
  const operator = path.startsWith('/v2')
    ? planeatOperator({ baseUrl: 'https://planeat.test/v2', ...common })
    : welstoryOperator({ baseUrl: 'https://welstory.test', username: 'u', password: 'p', ...common });
  return { operator, server, clock };
}

const COURSE: Menu = {
  id: '2.E001.AA',
  name: '제육볶음',
  serving: 'take-in',
  soldOut: false,
  components: [],
};

const READS: Readonly<Record<string, (operator: Operator) => Promise<unknown>>> = {
  restaurants: (operator) => operator.restaurants(),
  meals: (operator) => operator.meals('CAF35'),
  day: (operator) => operator.day('CAF35', '2026-11-18', MEALS),
  items: (operator) => operator.bundleItems('CAF35', '2026-11-18', COURSE),
  detail: (operator) => operator.menuDetail('CAF35', '2026-11-18', COURSE),
};

describe.each([
  ['/login', 'welstory/detail', 'restaurants'],
  ['/session', 'welstory/data-null', 'day'],
  ['/api/mypage/rest-list', 'welstory/restaurants-either-id', 'restaurants'],
  ['/api/menu/getMealTimeList', 'welstory/meal-times', 'meals'],
  ['/api/meal', 'welstory/dishes-in-rows', 'day'],
  ['/api/meal', 'welstory/course-in-one-row', 'day'],
  ['/api/meal/detail', 'welstory/detail', 'detail'],
  ['/api/meal/detail/nutrient', 'welstory/nutrient', 'detail'],
  ['/api/meal/detail/nutrient', 'welstory/nutrient', 'items'],
  ['/v2/storTree', 'shinsegae/tree', 'restaurants'],
  ['/v2/storTime', 'shinsegae/times', 'meals'],
  ['/v2/portal/dailyMenu', 'shinsegae/items', 'day'],
  ['/v2/portal/dailyMenu', 'shinsegae/photos', 'day'],
])('anything in place of %s (%s, %#)', (path, name, read) => {
  test('is read, or refused with a documented error', async () => {
    await fc.assert(
      fc.asyncProperty(damaged(name), async (body) => {
        const { operator, server, clock } = operatorAnswering(path, body);
        await using closing = operator;
        for (let reading = 0; reading < 2; reading += 1) {
          const outcome = await READS[read]?.(closing).catch((error: unknown) => error);
          expect(faults(outcome)).toEqual([]);
          // The token is about to end: the second reading begins with a new one.
          clock.advance(56 * 60_000);
        }
        expect(server.requests.map((request) => request.path)).toContain(path);
      }),
      { numRuns: testRuns(100) },
    );
  });
});

/** What is wrong with a reading: an undocumented error, or a value that its type does not allow. */
function faults(outcome: unknown): readonly string[] {
  if (outcome instanceof MenuError) return outcome.code in MENU_ERRORS ? [] : [`code ${outcome.code}`];
  if (outcome instanceof Error) return [outcome.stack ?? outcome.message];
  const found: string[] = [];
  const visit = (value: unknown, name: string): void => {
    if (value instanceof MenuError) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, name);
      return;
    }
    if (typeof value === 'object' && value !== null) {
      if (name === 'nutrition') found.push(...nutritionFaults(value));
      else if (name === 'error') found.push(...errorFaults(value));
      else for (const [key, member] of Object.entries(value)) visit(member, key);
      return;
    }
    if (value === undefined || value === null) found.push(`${name} is ${value}`);
    if (['id', 'name', 'label', 'nameEn', 'corner', 'location'].includes(name) && isBlank(value))
      found.push(`${name} is blank`);
    if (name === 'code' && !/^[\w-]{1,20}$/.test(String(value))) found.push(`meal ${String(value)}`);
    if ((name === 'url' || name === 'thumbnailUrl') && !/^https?:/i.test(String(value)))
      found.push(`photo at ${String(value)}`);
  };
  visit(outcome, 'reading');
  return found;
}

function errorFaults(error: object): readonly string[] {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && code in MENU_ERRORS ? [] : [`code ${String(code)}`];
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

function nutritionFaults(nutrition: Nutrition): readonly string[] {
  const amounts: readonly unknown[] = Object.values(nutrition);
  const valid = amounts.every(
    (amount) => typeof amount === 'number' && Number.isFinite(amount) && amount >= 0,
  );
  return valid && amounts.some((amount) => amount !== 0) ? [] : [`nutrition ${JSON.stringify(nutrition)}`];
}
