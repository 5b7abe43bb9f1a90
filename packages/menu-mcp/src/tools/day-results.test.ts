import type { DailyMenu, MealPeriod } from 'menu-client';
import { expect, test } from 'vitest';
import type { MenuSelection } from '../output/menu-selection.ts';
import { DayResults } from './day-results.ts';
import { toolSuccess } from './tool-result.ts';

const PERIOD: MealPeriod = {
  code: '2',
  label: '점심',
  status: 'ok',
  menus: [],
  fetchedAt: '2026-11-18T01:00:00.000Z',
};

function day(period: Partial<MealPeriod> = {}, id = 'REST000001', date = '2026-11-18'): DailyMenu {
  const restaurant = { vendor: 'welstory' as const, id, name: '1식당', location: ['서울'] };
  return { restaurant, date, periods: [{ ...PERIOD, ...period }] };
}

function count() {
  const results = new DayResults();
  let created = 0;
  const ask = (asked: DailyMenu, selection: MenuSelection = {}, moment = '') =>
    results.of(asked, selection, moment, () => {
      created += 1;
      return toolSuccess({ created }, '');
    });
  return { ask, created: () => created };
}

test('the same reading is written once, however often it is read', () => {
  const { ask, created } = count();
  expect(ask(day())).toBe(ask(day()));
  expect(created()).toBe(1);
});

test.each([
  { fetchedAt: '2026-11-18T02:00:00.000Z' },
  { status: 'stale' as const, error: { code: 'operator_timeout', retryable: true } },
  { changedAt: '2026-11-18T01:00:00.000Z' },
  { label: '중식' },
  {
    menus: [
      {
        id: 'a',
        name: '묶음',
        serving: 'take-out' as const,
        soldOut: false,
        components: [],
        bundle: { status: 'failed' as const, items: [] },
      },
    ],
  },
])('a reading with %j is another one', (change) => {
  const { ask, created } = count();
  ask(day());
  ask(day(change));
  expect(created()).toBe(2);
});

test('days, restaurants and selections are kept apart', () => {
  const { ask, created } = count();
  ask(day());
  ask(day(), { meal: 'lunch' });
  ask(day(), { view: 'takeout' });
  ask(day(), { sort: 'calories' });
  ask(day({}, 'REST000002'));
  ask(day({}, 'REST000001', '2026-11-19'));
  ask(day(), {}, 'evening');
  ask(day());
  expect(created()).toBe(7);
});
