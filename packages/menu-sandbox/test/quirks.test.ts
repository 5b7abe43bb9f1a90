import { type Sandbox, startSandbox } from 'menu-sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from './support.ts';

/** Everything below reads one sandbox, whose answers depend on its seed only. */
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ latencyMs: 0 });
});
afterAll(async () => {
  await sandbox.close();
});

type Row = Record<string, unknown>;
interface Meal {
  readonly mealList: Row[] | null;
}

/** What Welstory answers for a lunch in 120 restaurants. */
async function mealsOf(from: Sandbox): Promise<Meal[]> {
  const { get } = await signIn(from);
  const ids = from.restaurants.filter(({ vendor }) => vendor === 'welstory').slice(0, 120);
  const meals: Meal[] = [];
  for (const { id } of ids) {
    const answer = await get(`/api/meal?menuDt=20261118&menuMealType=2&restaurantCode=${id}`);
    meals.push(((await answer.json()) as { data: Meal }).data);
  }
  return meals;
}

describe('welstory', () => {
  let catalogue: Row[];
  let rows: Row[];
  let answers: Meal[];

  beforeAll(async () => {
    const { get } = await signIn(sandbox);
    catalogue = ((await (await get('/api/mypage/rest-list?restaurantName=')).json()) as { data: Row[] }).data;
    answers = await mealsOf(sandbox);
    rows = answers.flatMap(({ mealList }) => mealList ?? []);
  });

  const texts = (member: string) => rows.map((row) => row[member]);

  test('either id of a restaurant may be null, never both', () => {
    expect(catalogue.some((row) => row.restaurantId === null)).toBe(true);
    expect(catalogue.some((row) => row.restaurantCode === null)).toBe(true);
    expect(catalogue.every((row) => row.restaurantId !== null || row.restaurantCode !== null)).toBe(true);
  });

  test('breadcrumbs are parted by either bar, repeat themselves and end with the own name', () => {
    const descriptions = catalogue.map((row) => String(row.restaurantDesc));
    expect(descriptions.some((text) => text.includes('|'))).toBe(true);
    expect(descriptions.some((text) => text.includes('│'))).toBe(true);
    const crumbs = descriptions.map((text) => text.split(/[|│]/).map((crumb) => crumb.trim()));
    expect(crumbs.some((all) => new Set(all).size < all.length)).toBe(true);
    expect(catalogue.some((row, at) => crumbs[at]?.at(-1) === row.restaurantName)).toBe(true);
    expect(catalogue.some((row, at) => crumbs[at]?.at(-1) !== row.restaurantName)).toBe(true);
  });

  test('restaurants that are not to be shown are in the catalogue', () => {
    const names = catalogue.map((row) => row.restaurantName);
    expect(names).toEqual(
      expect.arrayContaining(['x', 'test', '테스트', expect.stringContaining('운영종료')]),
    );
  });

  test('numbers are texts with thousands commas', () => {
    expect(texts('sumKcal').every((text) => typeof text === 'string')).toBe(true);
    expect(texts('sumNa').some((text) => /^\d,\d{3}$/.test(String(text)))).toBe(true);
  });

  test('a group has a row for each dish, or one row with its sides in one text', () => {
    const groups = Map.groupBy(rows, (row) => [row.restaurantCode, row.hallNo, row.menuCourseType].join());
    const sizes = new Set([...groups.values()].map((group) => (group.length > 1 ? 'dishes' : 'course')));
    expect(sizes).toEqual(new Set(['dishes', 'course']));
    for (const group of groups.values())
      expect(group.filter((row) => row.typicalMenu === 'Y')).toHaveLength(1);
  });

  test.each([/[^ ],[^ ]/, /, /, /<br>/, /\|\|/])('sides are parted by %s too', (separator) => {
    expect(texts('subMenuTxt').some((text) => typeof text === 'string' && separator.test(text))).toBe(true);
  });

  test('the address of a photo is in two members, in either of them or in none', () => {
    const kinds = rows.map(({ photoUrl, photoCd }) => `${photoUrl ? 'url' : ''}+${photoCd ? 'code' : ''}`);
    expect(new Set(kinds)).toEqual(new Set(['url+code', 'url+', '+code', '+']));
    for (const { photoUrl, photoCd } of rows as { photoUrl: string | null; photoCd: string | null }[])
      expect(`${photoUrl ?? ''}${photoCd ?? ''}`).toMatch(
        /^$|^http:\/\/127\.0\.0\.1:\d+\/welstory\/.*\.png$/,
      );
  });

  test('nutrition may be only zeros, an English name may be missing, both kinds of sales occur', () => {
    expect(texts('sumKcal')).toContain('0');
    expect(texts('menuNameEng')).toContain(null);
    expect(new Set(texts('salesType'))).toEqual(new Set(['L1', 'T1']));
  });

  test('another sandbox answers the same, wherever it listens', async () => {
    await using other = await startSandbox({ latencyMs: 0 });
    const withoutPorts = (meals: Meal[]) => JSON.stringify(meals).replaceAll(/127\.0\.0\.1:\d+/g, 'host');
    expect(withoutPorts(await mealsOf(other))).toBe(withoutPorts(answers));
  });

  test('a meal without menus is an empty list or null', () => {
    const empty = answers.filter(({ mealList }) => (mealList ?? []).length === 0);
    expect(new Set(empty.map(({ mealList }) => mealList === null))).toEqual(new Set([true, false]));
  });
});

describe('shinsegae', () => {
  let items: Row[];

  beforeAll(async () => {
    const tree = (await (await fetch(`${sandbox.planeatUrl}/storTree`)).json()) as Node[];
    items = [];
    for (const [path, data] of stores(tree)) {
      const query = new URLSearchParams({ ...data, orgTreeId: path, saleDt: '2026-11-18', mealCd: '2' });
      const answer = await fetch(`${sandbox.planeatUrl}/portal/dailyMenu?${query.toString()}`);
      items.push(...((await answer.json()) as { ds: Row[] }).ds);
    }
  });

  interface Node {
    data: { busiCd: string; compCd: string; storCd: string | null };
    children: Node[];
  }

  /** Position and codes of each store, walked as a client does. */
  function stores(nodes: Node[], above = ''): [string, Record<string, string>][] {
    return nodes.flatMap(({ data, children }, at): [string, Record<string, string>][] => {
      const path = `${above}${at}`;
      if (children.length > 0) return stores(children, `${path}:`);
      const { busiCd, compCd, storCd } = data;
      return storCd === null ? [] : [[path, { busiCd, compCd, storCd }]];
    });
  }

  test('stores of two codes and VIP stores answer when their code is percent-encoded', () => {
    expect(items.length).toBeGreaterThan(1000);
    expect(sandbox.restaurants.some(({ id }) => id.includes(', '))).toBe(true);
    expect(sandbox.restaurants.some(({ id }) => id.startsWith('VIP'))).toBe(true);
  });

  test('notices lie among the menus', () => {
    expect(items.some(({ itemNmDp }) => String(itemNmDp).includes('이용안내'))).toBe(true);
  });

  test('an item may be of another meal than the one asked for', () => {
    expect(new Set(items.map(({ mealCd }) => mealCd))).toEqual(new Set(['1', '2']));
  });

  test('the total may be missing, then calorie is the total', () => {
    const without = items.filter((item) => !('totCalorie' in item));
    expect(without.length).toBeGreaterThan(0);
    expect(without.some(({ calorie }) => Number(calorie) > 0)).toBe(true);
  });

  test('photos and sides may be hidden, photos missing, menus sold out or packed', () => {
    for (const member of ['hidePictureYn', 'hideSubMenuYn', 'soldOutYn'])
      expect(items.map((item) => item[member])).toEqual(expect.arrayContaining(['Y', 'N']));
    expect(new Set(items.map(({ packFg }) => packFg))).toEqual(new Set(['1', '2']));
    const uploads = items.map(({ fileUpload }) =>
      Array.isArray(fileUpload) ? fileUpload.length : fileUpload,
    );
    expect(new Set(uploads)).toEqual(new Set([1, 0, null]));
  });

  test('code and sequence tell the items of a meal apart', () => {
    const [restaurant] = sandbox.restaurants.filter(({ vendor }) => vendor === 'shinsegae');
    expect(restaurant?.id).toBe('CAF1');
    const own = items.slice(0, 5).map(({ itemCd, itemSeq }) => JSON.stringify([itemCd, itemSeq]));
    expect(new Set(own).size).toBe(5);
  });
});
