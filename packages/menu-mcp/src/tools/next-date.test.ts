import { type DailyMenu, type MealPeriod, type MenuService } from 'menu-client';
import { expect, test } from 'vitest';
import { nextDateWithMenus } from './next-date.ts';

const NOON_MS = Date.parse('2026-11-20T12:00:00+09:00');

function dayOf(date: string, status: MealPeriod['status']): DailyMenu {
  const menu = { id: 'a', name: '돈까스', serving: 'take-in', soldOut: false, components: [] } as const;
  return {
    restaurant: { vendor: 'welstory', id: 'R1', name: '식당', location: [] },
    date,
    periods: [{ code: '2', label: '점심', status, menus: status === 'ok' ? [menu] : [] }],
  };
}

/** What comes after a closed day, where nothing is served before the 23rd; one other day may not have been read. */
function nextAfter(date: string, unread?: string): Promise<string | undefined> {
  const service: Pick<MenuService, 'dailyMenu'> = {
    dailyMenu: async (_vendor, _id, asked) =>
      dayOf(asked, asked === unread ? 'failed' : asked < '2026-11-23' ? 'empty' : 'ok'),
  };
  return nextDateWithMenus(service as MenuService, dayOf(date, 'empty'), NOON_MS);
}

test('after a closed day the next one with menus is named, but not after one that is over', async () => {
  expect(await nextAfter('2026-11-20')).toBe('2026-11-23');
  expect(await nextAfter('2026-11-19')).toBeUndefined();
});

test('behind a day that could not be read no other is named as the next', async () => {
  expect(await nextAfter('2026-11-20', '2026-11-21')).toBeUndefined();
});
