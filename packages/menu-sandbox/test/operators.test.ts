import { startSandbox } from 'menu-sandbox';
import { expect, test } from 'vitest';
import { bundleOf, signIn as signInOnce } from './support.ts';

const WEEKDAY = '2026-11-18';

async function signIn(url: string, password = 'sandbox') {
  const device = { 'x-device-id': crypto.randomUUID() };
  const login = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { ...device, 'x-autologin': 'N', 'user-agent': 'Welplus' },
    body: new URLSearchParams({ username: 'sandbox', password, 'remember-me': 'false' }),
  });
  return { login, headers: { ...device, authorization: login.headers.get('authorization') ?? '' } };
}

test('welstory: catalogue, meal times, meals, nutrients and photo of a signed-in account', async () => {
  await using sandbox = await startSandbox();
  const { login, headers } = await signIn(sandbox.welstoryUrl);
  expect(login.status).toBe(200);
  const get = async (path: string, extra = {}) => {
    const response = await fetch(sandbox.welstoryUrl + path, { headers: { ...headers, ...extra } });
    return (await response.json()) as { data: never };
  };
  const catalogue: Record<string, string | null>[] = (await get('/api/mypage/rest-list?restaurantName='))
    .data;
  expect(catalogue).toHaveLength(367);
  for (const keyword of ['강남', 'R5'])
    expect(catalogue.some((row) => `${row.restaurantName}${row.restaurantDesc}`.includes(keyword))).toBe(
      true,
    );

  const times: { code: string }[] = (
    await get('/api/menu/getMealTimeList', { cookie: 'cafeteriaActiveId=REST000007' })
  ).data;
  expect(times.map(({ code }) => code)).toContain('2');
  expect((await get('/api/menu/getMealTimeList')).data).toBeNull();

  const query = `menuDt=${WEEKDAY.replaceAll('-', '')}&menuMealType=2&restaurantCode=REST000007`;
  const { mealList }: { mealList: Record<string, string>[] } = (await get(`/api/meal?${query}`)).data;
  expect(mealList.length).toBeGreaterThan(2);
  const [row] = mealList;
  const course = `${query}&hallNo=${row?.hallNo}&menuCourseType=${row?.menuCourseType}`;
  const dishes: { menuName: string }[] = (await get(`/api/meal/detail/nutrient?${course}`)).data;
  expect(dishes[0]?.menuName).toBe(row?.menuName);

  const photo = mealList
    .map(({ photoUrl, photoCd }) => `${photoUrl ?? ''}${photoCd ?? ''}`)
    .find((url) => url);
  const image = await fetch(photo ?? '');
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(new Uint8Array(await image.arrayBuffer()).slice(1, 4)).toEqual(new Uint8Array([0x50, 0x4e, 0x47]));
});

test('welstory: a bundle is one row with the sum of all choices; its items are asked for, after its own name of zeros', async () => {
  await using sandbox = await startSandbox();
  const { id, hall, course, plan } = bundleOf(sandbox);
  const { get } = await signInOnce(sandbox);
  const query = `menuDt=${WEEKDAY.replaceAll('-', '')}&menuMealType=2&restaurantCode=${id}`;
  const { data } = (await (await get(`/api/meal?${query}`)).json()) as {
    data: { mealList: Record<string, string>[] };
  };
  const row = data.mealList.find(({ menuCourseType }) => menuCourseType === course);
  expect(row).toMatchObject({
    menuName: plan.dishes[0]?.name,
    sumKcal: expect.stringMatching(/^[3-9],\d{3}$/),
  });

  const path = `/api/meal/detail/nutrient?${query}&hallNo=${hall}&menuCourseType=${course}`;
  const { data: rows } = (await (await get(path)).json()) as { data: Record<string, string>[] };
  const [own, ...items] = rows;
  expect(own).toMatchObject({ menuName: row?.menuName, kcal: '0', totProtein: '0' });
  expect(items.map(({ menuName }) => menuName)).toEqual(plan.items?.map(({ name }) => name));
  expect(items[0]).toMatchObject({ menuName: row?.menuName, kcal: expect.stringMatching(/^[1-9]\d+$/) });
  expect(items.at(-1)).toMatchObject({ menuName: '생수', kcal: '0' });
  expect(sandbox.stats().welstory.byPath['/api/meal/detail/nutrient']).toBe(1);
});

test('shinsegae: tree, meal times and menus without an account', async () => {
  await using sandbox = await startSandbox();
  const tree = (await (await fetch(`${sandbox.planeatUrl}/storTree`)).json()) as { children: unknown[] }[];
  expect(tree).toHaveLength(6);
  const at = 'busiCd=RH2_K_001&compCd=K_KR_001&storCd=CAF81';
  const times = await (await fetch(`${sandbox.planeatUrl}/storTime?${at}`)).json();
  expect(times).toMatchObject({
    mealData: expect.arrayContaining([expect.objectContaining({ mealCd: '2' })]),
  });
  const menu = await fetch(
    `${sandbox.planeatUrl}/portal/dailyMenu?${at}&orgTreeId=2:0:0&saleDt=${WEEKDAY}&mealCd=2`,
  );
  const { ds } = (await menu.json()) as { ds: { itemNmDp: string }[] };
  expect(ds.length).toBeGreaterThan(2);
});
