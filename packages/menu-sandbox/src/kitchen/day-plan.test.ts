import { assert, constantFrom, date, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shinsegaeRestaurants } from '../catalogue/shinsegae-restaurants.ts';
import { welstoryRestaurants } from '../catalogue/welstory-restaurants.ts';
import { isDayOff } from '../seeded/calendar.ts';
import { type Course, TAKE_OUT_FORMS, type TakeOutForm } from './course.ts';
import { planDay } from './day-plan.ts';

const SEED = 'test';
const RESTAURANTS = [...welstoryRestaurants(SEED), ...shinsegaeRestaurants(SEED)];
const WEEKDAY = '2026-11-18';
const SATURDAY = '2026-11-21';

/** The marks of the operators' own pages, written out here so that they do not come from the code under test. */
const NAME_MARKS: Partial<Record<TakeOutForm, RegExp>> = {
  coin: /^\[\dCoin\] /,
  'coin-range': /^\[\d~\dCoin\] /,
  pick: / \d pick$/,
  'pick-ko': / \d픽$/,
  'pick-range': / \d~\d pick$/,
  't/o': /^T\/O /,
  'coin-word': /코인/,
  'side-word': /사이드/,
  digits: /\(\d+\)/,
  'and-others': /외 \d+종$/,
};
const ANY_MARK = /\[.*coin\]|\d\s*(?:pick|픽)|T\/O|코인|사이드|\(\d+\)|외 \d+종$/i;

const UNMARKED = new RegExp(`^(?!.*(?:${ANY_MARK.source}))`, 'i');

function courses(day: string, seed = SEED): Course[] {
  return RESTAURANTS.flatMap((restaurant) => planDay(seed, restaurant, day).flatMap((plan) => plan.courses));
}

function kcal(course: Course): number {
  return course.dishes.reduce((sum, dish) => sum + dish.nutrition.caloriesKcal, 0);
}

test('the catalogue has 600 restaurants with ids of their own, some of them at 강남 and in R5', () => {
  expect(RESTAURANTS).toHaveLength(600);
  expect(new Set(RESTAURANTS.map(({ vendor, id }) => `${vendor}/${id}`)).size).toBe(600);
  for (const keyword of ['강남', 'R5']) {
    const found = RESTAURANTS.filter(({ name, location }) => [name, ...location].join(' ').includes(keyword));
    expect(new Set(found.map(({ vendor }) => vendor))).toEqual(new Set(['welstory', 'shinsegae']));
  }
});

test('the same seed plans the same day, another seed another one', () => {
  const planned = JSON.stringify(courses(WEEKDAY));
  expect(JSON.stringify(courses(WEEKDAY))).toBe(planned);
  expect(JSON.stringify(courses(WEEKDAY, 'other'))).not.toBe(planned);
});

test('any date has a plan for each meal of the restaurant', () => {
  assert(
    property(
      date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
      constantFrom(...RESTAURANTS),
      (day, restaurant) => {
        const plans = planDay(SEED, restaurant, day.toISOString().slice(0, 10));
        expect(plans.map(({ meal }) => meal)).toEqual(restaurant.meals);
        const ids = plans.map((plan) => plan.courses.map(({ id }) => id));
        for (const own of ids) expect(new Set(own).size).toBe(own.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('weekends and holidays are closed but where people work every day', () => {
  const open = (day: string) =>
    RESTAURANTS.filter((restaurant) =>
      planDay(SEED, restaurant, day).some(({ courses }) => courses.length > 0),
    );
  expect(open(SATURDAY).every(({ openEveryDay }) => openEveryDay)).toBe(true);
  expect(open(SATURDAY).length).toBeGreaterThan(20);
  expect(open(WEEKDAY).length).toBeGreaterThan(590);
  expect(isDayOff('2026-12-25')).toBe(true);
});

test('some meals of a working day are not published', () => {
  const plans = RESTAURANTS.flatMap((restaurant) => planDay(SEED, restaurant, WEEKDAY));
  const empty = plans.filter(({ courses }) => courses.length === 0).length;
  expect(empty / plans.length).toBeGreaterThan(0.02);
  expect(empty / plans.length).toBeLessThan(0.08);
});

describe('take-out', () => {
  const all = courses(WEEKDAY);

  test.each(TAKE_OUT_FORMS)('the form %s shows itself, and only so', (form) => {
    const own = all.filter(({ takeOut }) => takeOut === form);
    expect(own.length).toBeGreaterThan(30);
    for (const course of own) {
      const names = course.dishes.map(({ name }) => name);
      expect(names.length > 10).toBe(form === 'many-dishes');
      expect(kcal(course) > 3000 || form === 'many-dishes').toBe(form === 'heavy' || form === 'many-dishes');
      expect(names[0]).toMatch(NAME_MARKS[form] ?? UNMARKED);
      expect(names.slice(1).join('\n')).not.toMatch(ANY_MARK);
    }
  });

  test('each is a choice of things for one person, and what it adds up to is not', () => {
    for (const course of all) {
      expect(course.items === undefined).toBe(course.takeOut === undefined);
      const [first, ...others] = course.items ?? [];
      if (first === undefined) continue;
      expect(course.dishes[0]?.name).toContain(first.name);
      for (const item of [first, ...others]) {
        expect(item.nutrition.caloriesKcal).toBeLessThan(800);
        expect(item.name).not.toMatch(ANY_MARK);
      }
    }
  });

  test('twelve things and water are a bundle of over 3,000 kcal', () => {
    const heavy = all.filter(({ takeOut }) => takeOut === 'heavy').flatMap(({ items }) => [items ?? []]);
    for (const items of heavy) expect(items.length).toBeGreaterThanOrEqual(13);
  });

  test('no course that is eaten in bears a mark', () => {
    for (const course of all.filter(({ takeOut }) => takeOut === undefined)) {
      expect(course.dishes.length).toBeLessThanOrEqual(10);
      expect(kcal(course)).toBeLessThanOrEqual(3000);
      for (const { name } of course.dishes) expect(name).not.toMatch(ANY_MARK);
    }
  });
});

test('a corner serves hundreds of different courses before one comes back', () => {
  const mains = new Set(courses(WEEKDAY).map(({ dishes }) => dishes[0]?.name));
  expect(mains.size).toBeGreaterThan(180);
  const combinations = new Set(courses(WEEKDAY).map(({ dishes }) => dishes.map(({ name }) => name).join()));
  expect(combinations.size).toBeGreaterThan(5000);
  const [restaurant] = RESTAURANTS;
  const week = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'].map((day) =>
    restaurant === undefined
      ? undefined
      : planDay(SEED, restaurant, day).find(({ meal }) => meal.code === '2')?.courses[0]?.dishes[0]?.name,
  );
  const served = week.filter((name) => name !== undefined);
  expect(new Set(served).size).toBe(served.length);
});

test('a corner serves another main dish at each meal of a day', () => {
  for (const restaurant of RESTAURANTS) {
    const mains = planDay(SEED, restaurant, WEEKDAY).flatMap(({ courses }) =>
      courses
        .filter(({ takeOut }) => takeOut === undefined)
        .map(({ corner, dishes }) => `${corner}: ${dishes[0]?.name}`),
    );
    expect(new Set(mains).size).toBe(mains.length);
  }
});

test('no dish has a comma or a bar in its name, which the operators part dishes with', () => {
  for (const course of courses(WEEKDAY))
    for (const { name } of course.dishes) expect(name).not.toMatch(/[,|<]/);
});

test('the calories of a dish follow from what is in it', () => {
  for (const course of courses(WEEKDAY)) {
    for (const { nutrition } of course.dishes) {
      const { carbohydratesG, proteinG, fatG, sugarG, caloriesKcal } = nutrition;
      const macros = 4 * carbohydratesG + 4 * proteinG + 9 * fatG;
      expect(Math.abs(caloriesKcal - macros)).toBeLessThanOrEqual(0.01 * macros + 1);
      expect(sugarG).toBeLessThanOrEqual(carbohydratesG);
    }
  }
});
