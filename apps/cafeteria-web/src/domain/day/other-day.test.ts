import { addDays, type DailyMenu, type MealPeriod, type MenuService } from 'menu-client';
import { expect, test } from 'vitest';
import { otherDay } from './other-day.ts';

const TODAY = '2026-11-20';

function dayOf(date: string, isServed: boolean): DailyMenu {
  const menu = { id: 'a', name: '돈까스', serving: 'take-in', soldOut: false, components: [] } as const;
  const period: MealPeriod = {
    code: '2',
    label: '점심',
    status: isServed ? 'ok' : 'empty',
    menus: isServed ? [menu] : [],
  };
  return {
    restaurant: { vendor: 'welstory', id: 'R1', name: '식당', location: [] },
    date,
    periods: [period],
  };
}

/** The date of the next day that is found, where menus are served again that many days after today. */
async function foundAhead(days: number): Promise<string | undefined> {
  const service: Pick<MenuService, 'dailyMenu'> = {
    dailyMenu: async (_vendor, _id, date) => dayOf(date, date >= addDays(TODAY, days)),
  };
  return (await otherDay(service as MenuService, dayOf(TODAY, false), TODAY, {}))?.day.date;
}

test('the next day with menus is looked for in a week, and no longer', async () => {
  expect([await foundAhead(1), await foundAhead(7)]).toEqual([addDays(TODAY, 1), addDays(TODAY, 7)]);
  expect(await foundAhead(8)).toBeUndefined();
});

test('a meal of the next day that could not be read keeps its place; a day on its way is not passed over', async () => {
  const found = async (status: MealPeriod['status']) => {
    const dinner = { ...(dayOf(TODAY, true).periods[0] as MealPeriod), code: '3' };
    const lunch: MealPeriod = { code: '2', label: '점심', status, menus: [] };
    const service: Pick<MenuService, 'dailyMenu'> = {
      dailyMenu: async (_vendor, _id, date) => ({
        ...dayOf(date, true),
        periods: status === 'loading' ? [lunch] : [lunch, dinner],
      }),
    };
    const other = await otherDay(service as MenuService, dayOf(TODAY, false), TODAY, {});
    return [other?.kind, other?.day.periods.map((period) => period.code)];
  };
  expect(await found('failed')).toEqual(['next', ['2', '3']]);
  expect(await found('empty')).toEqual(['next', ['3']]);
  expect(await found('loading')).toEqual(['loading', ['2']]);
});

test('behind a day of which nothing could be read no other is said to be the next', async () => {
  const service: Pick<MenuService, 'dailyMenu'> = {
    dailyMenu: async (_vendor, _id, date) => {
      const day = dayOf(date, date > addDays(TODAY, 1));
      const periods = day.periods.map((period) => ({ ...period, status: 'failed' as const }));
      return date === addDays(TODAY, 1) ? { ...day, periods } : day;
    },
  };
  expect(await otherDay(service as MenuService, dayOf(TODAY, false), TODAY, {})).toBeUndefined();
});
