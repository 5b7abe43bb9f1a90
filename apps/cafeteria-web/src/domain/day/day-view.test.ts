import type { DailyMenu, MealPeriod } from 'menu-client';
import { expect, test } from 'vitest';
import { dayVersion } from './day-view.ts';

test('the version of a day is another one after a change, a reading and another failure', () => {
  const version = (more: Partial<MealPeriod>): string => {
    const period: MealPeriod = { code: '2', label: '중식', status: 'stale', menus: [], ...more };
    const day: DailyMenu = {
      restaurant: { vendor: 'welstory', id: 'R5', name: '1식당', location: [] },
      date: '2026-11-20',
      periods: [period],
    };
    return dayVersion(day);
  };
  const at = '2026-11-20T01:00:00.000Z';
  const versions = [
    {},
    { fetchedAt: at },
    { fetchedAt: at, changedAt: at },
    { error: { code: 'operator_unreachable', retryable: true } },
    { error: { code: 'operator_maintenance', retryable: true } },
    { status: 'failed' as const },
  ].map(version);
  expect(new Set(versions).size).toBe(versions.length);
});
