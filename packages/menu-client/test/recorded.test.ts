import {
  type Clock,
  createMenuService,
  type DailyMenu,
  type Menu,
  openOperators,
  systemClock,
} from 'menu-client';
import { type Course, type Sandbox, startSandbox } from 'menu-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMealList } from '../src/welstory/parse-meal-list.ts';
import { fakeOperator, settle, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE } from './fake-service.ts';

const WEDNESDAY = '2026-11-18';
const seoul = (time: string) => Date.parse(`${WEDNESDAY}T${time}:00+09:00`);

let nowMs = seoul('11:58');
const clock: Clock = { ...systemClock, nowMs: () => nowMs };
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'recorded', latencyMs: 0, clock: () => nowMs });
});
afterAll(async () => {
  await sandbox.close();
});

function serviceOverRecorded() {
  return createMenuService({
    operators: openOperators(sandbox.environment, { clock, maxRequestsPerMinute: 60_000 }),
    clock,
  });
}

/** What is read of a course and what was planned, in the same words. */
const read = ({ name, soldOut, components }: Menu) => ({
  name,
  soldOut,
  dishes: components.map((dish) => `${dish.name}${dish.main ? ' *' : ''}`).sort(),
});
const planned = ({ dishes, soldOut }: Course) => ({
  name: dishes[0]?.name,
  soldOut,
  dishes: dishes.length === 1 ? [] : dishes.map((dish, at) => `${dish.name}${at === 0 ? ' *' : ''}`).sort(),
});

test('a day of recorded answers is read as the kitchen planned it, in whichever list its dishes are', async () => {
  await using service = serviceOverRecorded();
  const ids = sandbox.restaurants.filter(({ vendor }) => vendor === 'welstory').slice(0, 24);
  const english = { menus: 0, dishes: 0 };
  for (const { id } of ids) {
    const day = await service.dailyMenu('welstory', id, WEDNESDAY);
    const courses =
      sandbox.plan('welstory', id, WEDNESDAY).find(({ meal }) => meal.code === '2')?.courses ?? [];
    const menus = day.periods.find(({ code }) => code === '2')?.menus ?? [];
    const eatenIn = menus.filter(({ serving }) => serving === 'take-in');
    const kitchen = courses.filter(({ takeOut }) => takeOut === undefined);
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }) =>
      (a.name ?? '') < (b.name ?? '') ? -1 : 1;
    expect(eatenIn.map(read).sort(byName)).toEqual(kitchen.map(planned).sort(byName));
    const dishNames = new Map(
      courses.flatMap((course) => course.dishes.map((dish) => [dish.name, dish.nameEn])),
    );
    for (const { name, nameEn, components } of eatenIn) {
      expect([undefined, dishNames.get(name)]).toContain(nameEn);
      english.menus += nameEn === undefined ? 0 : 1;
      for (const dish of components) {
        expect([undefined, dishNames.get(dish.name)]).toContain(dish.nameEn);
        english.dishes += dish.nameEn === undefined ? 0 : 1;
      }
    }
  }
  expect(english.menus).toBeGreaterThan(30);
  expect(english.dishes).toBeGreaterThan(100);
});

test('the energy of PlanEAT Choice is that of the whole menu', async () => {
  await using service = serviceOverRecorded();
  const { id } = sandbox.restaurants.find(({ vendor }) => vendor === 'shinsegae') ?? { id: '' };
  const courses = sandbox.plan('shinsegae', id, WEDNESDAY).flatMap((meal) => meal.courses);
  const whole = new Map(
    courses
      .filter(({ takeOut, nutritionKnown }) => takeOut === undefined && nutritionKnown)
      .map(({ dishes }) => [
        dishes[0]?.name ?? '',
        dishes.reduce((sum, { nutrition }) => sum + nutrition.caloriesKcal, 0),
      ]),
  );
  const menus = (await service.dailyMenu('shinsegae', id, WEDNESDAY)).periods.flatMap(
    (period) => period.menus,
  );
  const energies = menus.flatMap(({ name, nutrition }) =>
    whole.has(name) ? [[name, nutrition?.caloriesKcal] as const] : [],
  );
  expect(energies.length).toBeGreaterThan(3);
  expect(energies).toEqual(energies.map(([name]) => [name, whole.get(name)]));
});

test('a dinner that is added at noon is shown within 15 minutes, and a day to come has it within 3 hours', async () => {
  await using service = serviceOverRecorded();
  nowMs = seoul('11:58');
  const codes = ({ periods }: DailyMenu) => periods.map(({ code }) => code);
  const dayOf = (id: string, date = WEDNESDAY) => service.dailyMenu('welstory', id, date);
  let adding = '';
  for (const { id } of sandbox.restaurants.slice(0, 24)) {
    const meals = sandbox.plan('welstory', id, WEDNESDAY).map(({ meal }) => meal.code);
    if (meals.includes('3') && !codes(await dayOf(id)).includes('3')) adding = id;
  }
  expect(adding).not.toBe('');
  expect(codes(await dayOf(adding, '2026-11-19'))).not.toContain('3');
  nowMs += 15 * MINUTE;
  await dayOf(adding);
  await expect.poll(async () => codes(await dayOf(adding))).toContain('3');
  nowMs += 3 * 60 * MINUTE;
  await dayOf(adding, '2026-11-19');
  await expect.poll(async () => codes(await dayOf(adding, '2026-11-19'))).toContain('3');
});

test('a list of meals that cannot be read again leaves the meals that are known', async () => {
  await using service = serviceOverRecorded();
  const { id } = sandbox.restaurants[1] ?? { id: '' };
  const before = await service.dailyMenu('welstory', id, WEDNESDAY);
  sandbox.setFaults([{ fault: 'server-error', operator: 'welstory', path: '/api/menu' }]);
  nowMs += 13 * 60 * MINUTE;
  const after = await service.dailyMenu('welstory', id, WEDNESDAY);
  sandbox.setFaults([]);
  expect(after.periods.map(({ code }) => code)).toEqual(before.periods.map(({ code }) => code));
  expect(after.periods.some(({ menus }) => menus.length > 0)).toBe(true);
});

const row = (members: object) => ({ menuName: '제육볶음', hallNo: 'E1', menuCourseType: 'AA', ...members });
const menusOf = (mealList: readonly object[] | null, smartOrderMenuList: readonly object[] | null = null) =>
  parseMealList({ code: 0, data: { mealList, smartOrderMenuList } }, '2');

test.each<[string, object, boolean, number]>([
  ['null', { soldOutYn: null, soldStat: null }, false, 0],
  ['Y', { soldOutYn: 'Y', soldStat: null }, true, 0],
  ['N', { soldOutYn: 'N', soldStat: '' }, false, 0],
  ['품절', { soldOutYn: null, soldStat: '품절' }, true, 0],
  ['a word that nobody has seen', { soldOutYn: null, soldStat: 'S03' }, false, 1],
  ['a number', { soldOutYn: 7 }, false, 1],
])('sold out: %s', (_case, members, soldOut, unknown) => {
  const { value, unknownValues = [] } = menusOf([row(members)]);
  expect([value[0]?.soldOut, unknownValues.length]).toEqual([soldOut, unknown]);
});

test.each<[unknown, boolean]>([
  [0, true],
  ['0', true],
  [-1, true],
  [1, false],
  ['12', false],
  [null, false],
])('a dish of which %j is left, alone or in both lists, is one dish', (left, soldOut) => {
  const smart = {
    menuName: '제육 볶음',
    smartSubMenuTxt: '쌀밥,국',
    sumKcal: '1,012',
    smartRemainingQuantity: left,
  };
  for (const mealList of [[row({})], null, []]) {
    const { value } = menusOf(mealList, [smart]);
    expect(value).toHaveLength(1);
    expect(value[0]).toMatchObject({ soldOut, nutrition: { caloriesKcal: 1012 } });
    expect(value[0]?.components).toHaveLength(3);
  }
});

test('sides are parted by every sign that is recorded, and paired with their English names', () => {
  const sides = (subMenuTxt: string, subEngMenuTxt: string | null = null) =>
    menusOf([row({ subMenuTxt, subEngMenuTxt })])
      .value[0]?.components.slice(1)
      .map(({ name, nameEn }) => (nameEn === undefined ? name : `${name}=${nameEn}`));
  expect(sides('쌀밥/국\n김치\r\n나물<br/>두부||계란, 김')).toEqual([
    '쌀밥',
    '국',
    '김치',
    '나물',
    '두부',
    '계란',
    '김',
  ]);
  expect(sides('쌀밥/김치(배추/고춧가루)', 'Rice/Kimchi')).toEqual([
    '쌀밥=Rice',
    '김치(배추/고춧가루)=Kimchi',
  ]);
  expect(sides('쌀밥/김치', 'Rice')).toEqual(['쌀밥', '김치']);
  expect(sides('샐러드 T/O,사과 1/2,계란', 'Salad T/O,Half an apple,Rice w/ egg')).toEqual([
    '샐러드 T/O=Salad T/O',
    '사과 1/2=Half an apple',
    '계란=Rice w/ egg',
  ]);
});

test('the row that is the main dish names the menu, in either alphabet', () => {
  const rows = (main: string, side: string) => [
    row({ menuName: '쌀밥', typicalMenu: side }),
    row({ menuName: '불고기', typicalMenu: main, engMenuName: 'Bulgogi' }),
  ];
  for (const [main, side] of [
    ['메인', '서브'],
    ['Y', 'N'],
  ] as const)
    expect(menusOf(rows(main, side)).value).toMatchObject([{ name: '불고기', nameEn: 'Bulgogi' }]);
  const english = { menuNameEng: null, engMenuName: null, engSetMenuName: 'Bulgogi set' };
  expect(menusOf([row(english)]).value).toMatchObject([{ nameEn: 'Bulgogi set' }]);
});

test('a value that nobody knows is told once, and of a hundred values at most', async () => {
  const stepped = steppedClock();
  const told: string[] = [];
  const operator = fakeOperator();
  let values = ['S03', 'S03'];
  const read = operator.day.bind(operator);
  operator.day = async (...asked) => ({
    ...(await read(...asked)),
    unknownValues: values.map((value) => ({ member: 'soldStat', value })),
  });
  await using service = createMenuService({
    operators: [operator],
    clock: stepped,
    onUnknownValue: (vendor, { member, value }) => told.push(`${vendor} ${member} ${value}`),
  });
  await lunch(service);
  expect(told).toEqual(['welstory soldStat S03']);
  values = Array.from({ length: 200 }, (_, at) => `T${at}`);
  await stepped.advance(16 * MINUTE);
  await lunch(service);
  await settle();
  expect(told).toHaveLength(100);
});
