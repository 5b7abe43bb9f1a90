import { type OperatorFact, type Sandbox, SHINSEGAE_FACTS, startSandbox, WELSTORY_FACTS } from 'menu-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LUNCH, signIn } from './support.ts';

type Row = Record<string, unknown>;
interface Meal {
  readonly mealList: Row[] | null;
  readonly smartOrderMenuList: Row[] | null;
}

/** A Wednesday; the time of day is the test's. */
const seoul = (time: string) => Date.parse(`2026-11-18T${time}:00+09:00`);
let nowMs = seoul('10:30');
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'recorded', latencyMs: 0, clock: () => nowMs });
});
afterAll(async () => {
  await sandbox.close();
});

async function lunches(count: number): Promise<readonly Meal[]> {
  const { get } = await signIn(sandbox);
  const ids = sandbox.restaurants.filter(({ vendor }) => vendor === 'welstory').slice(0, count);
  const meals: Meal[] = [];
  for (const { id } of ids) {
    const answer = await get(`/api/meal?menuDt=20261118&menuMealType=2&restaurantCode=${id}`);
    meals.push(((await answer.json()) as { data: Meal }).data);
  }
  return meals;
}

const membersIn = (facts: readonly OperatorFact[], path: string, within: string) =>
  facts
    .filter((fact) => fact.path === path && fact.within === within)
    .map(({ member }) => member)
    .sort();
const namesOf = (rows: readonly Row[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))].sort();

test('welstory: the rows of both lists have the members of the facts, and no others', async () => {
  const meals = await lunches(60);
  const rows = meals.flatMap(({ mealList }) => mealList ?? []);
  const smart = meals.flatMap(({ smartOrderMenuList }) => smartOrderMenuList ?? []);
  expect(namesOf(rows)).toEqual(membersIn(WELSTORY_FACTS, '/api/meal', 'data.mealList[]'));
  expect(namesOf(smart)).toEqual(membersIn(WELSTORY_FACTS, '/api/meal', 'data.smartOrderMenuList[]'));
  const lists = meals.map((meal) => [meal.mealList?.length ?? null, meal.smartOrderMenuList?.length ?? null]);
  expect(lists).toEqual(
    expect.arrayContaining([
      [expect.any(Number), null],
      [expect.any(Number), 0],
    ]),
  );
  expect(lists.some(([list, other]) => list === null && (other ?? 0) > 0)).toBe(true);
  expect(lists.some(([list, other]) => (list ?? 0) > 0 && (other ?? 0) > 0)).toBe(true);
  const seen = (member: string) => new Set(rows.map((row) => row[member]));
  expect(seen('typicalMenu')).toEqual(new Set(['Y', 'N', '메인', '서브']));
  expect(seen('soldStat')).toEqual(new Set([null]));
  expect(rows.some((row) => row.menuNameEng === null && row.engMenuName !== null)).toBe(true);
  expect(rows.some((row) => row.menuNameEng === null && row.engSetMenuName !== null)).toBe(true);
  const sides = rows.map((row) => String(row.subMenuTxt));
  for (const sign of ['/', '\n', '||']) expect(sides.some((text) => text.includes(sign))).toBe(true);
});

test('shinsegae: the items of a menu have the members of the facts, and no others', async () => {
  const at = 'busiCd=RH2_K_001&compCd=K_KR_001&storCd=CAF81&orgTreeId=2:0:0&mealCd=2';
  const items: Row[] = [];
  for (let day = 16; day <= 20; day += 1) {
    const answer = await fetch(`${sandbox.planeatUrl}/portal/dailyMenu?${at}&saleDt=2026-11-${day}`);
    items.push(...((await answer.json()) as { ds: Row[] }).ds);
  }
  expect(namesOf(items)).toEqual(membersIn(SHINSEGAE_FACTS, '/portal/dailyMenu', 'ds[]'));
});

test('a second login ends the session before it, which is answered with null from then on', async () => {
  const first = await signIn(sandbox);
  expect(((await (await first.get(LUNCH)).json()) as { data: unknown }).data).not.toBeNull();
  const second = await signIn(sandbox);
  expect(await (await first.get(LUNCH)).json()).toMatchObject({ code: 0, data: null });
  expect(((await (await second.get(LUNCH)).json()) as { data: unknown }).data).not.toBeNull();
});

test('some restaurants list dinner only from noon on', async () => {
  const dinners = async () => {
    const { get } = await signIn(sandbox);
    const listed: boolean[] = [];
    for (const { id, vendor } of sandbox.restaurants.slice(0, 24)) {
      expect(vendor).toBe('welstory');
      const answer = await get('/api/menu/getMealTimeList', { cookie: `cafeteriaActiveId=${id}` });
      const { data } = (await answer.json()) as { data: { code: string }[] };
      listed.push(data.some(({ code }) => code === '3'));
    }
    return listed;
  };
  nowMs = seoul('11:59');
  const before = await dinners();
  nowMs = seoul('12:00');
  const after = await dinners();
  expect(after.filter(Boolean).length).toBeGreaterThan(before.filter(Boolean).length);
  expect(before.filter((had, at) => had && after[at] !== true)).toEqual([]);
});

test('a photo comes untyped, nearly white at first, and at the same address from eleven o’clock on', async () => {
  const photo = `${sandbox.welstoryUrl}/data/manager/recipe/20261118-REST000007-2-AA.png`;
  nowMs = seoul('10:59');
  const early = await fetch(photo);
  expect(early.headers.get('content-type')).toMatch(/^(?:application|binary)\/octet-stream$/);
  const placeholder = Buffer.from(await early.arrayBuffer());
  expect(placeholder.toString('latin1', 1, 4)).toBe('PNG');
  const known = { headers: { 'if-none-match': early.headers.get('etag') ?? '' } };
  expect((await fetch(photo, known)).status).toBe(304);
  nowMs = seoul('11:00');
  const there = await fetch(photo, known);
  expect(there.status).toBe(200);
  expect(Buffer.from(await there.arrayBuffer())).not.toEqual(placeholder);
});
