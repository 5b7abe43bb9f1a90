import { type DailyMenu, MenuError, type MenuService, type Restaurant } from 'menu-client';
import { expect, test } from 'vitest';
import { daysOf, offeredCodes } from './home-days.ts';

const restaurant = (id: string): Restaurant => ({ vendor: 'welstory', id, name: id, location: [] });

test('a restaurant that left the catalogue has no day, and is none of those whose day could not be loaded', async () => {
  const service: Pick<MenuService, 'dailyMenu'> = {
    dailyMenu: async (_vendor, id, date): Promise<DailyMenu> => {
      if (id === 'gone') throw new MenuError('restaurant_not_found', 'gone');
      if (id === 'slow') throw new MenuError('deadline_exceeded', 'slow');
      return { restaurant: restaurant(id), date, periods: [] };
    },
  };
  const asked = ['gone', 'open', 'slow'].map(restaurant);
  const { days, failed } = await daysOf(service as MenuService, asked, '2026-11-20', {});
  expect([days.map((day) => day.restaurant.id), failed.map(({ id }) => id)]).toEqual([['open'], ['slow']]);
});

test('the meals that days offer come in the order of the day, dawn first', () => {
  const periods = ['2', '1', '6'].map((code) => ({ code, label: code, status: 'ok' as const, menus: [] }));
  expect(offeredCodes([{ restaurant: restaurant('open'), date: '2026-11-20', periods }])).toEqual([
    '6',
    '1',
    '2',
  ]);
});
