import { addDays, type DailyMenu, isMenuError, type MenuService, seoulToday } from 'menu-client';

/** A weekend and the holidays around it. */
const DAYS_AHEAD = 7;

/** For today or a later day without any menu, the next day that has one; undefined if none is known. */
export async function nextDateWithMenus(
  service: MenuService,
  day: DailyMenu,
  nowMs: number,
): Promise<string | undefined> {
  const { vendor, id } = day.restaurant;
  if (day.date < seoulToday(nowMs)) return undefined;
  for (let [current, ahead] = [day, 0]; ; ahead += 1) {
    if (current.periods.some(({ menus }) => menus.length > 0)) return ahead === 0 ? undefined : current.date;
    // A day that could not be read may be the one.
    if (ahead === DAYS_AHEAD || current.periods.some(({ status }) => status !== 'empty')) return undefined;
    try {
      current = await service.dailyMenu(vendor, id, addDays(current.date, 1));
    } catch (error) {
      // Nobody asked for these days: what keeps them from being read is no failure of the answer.
      if (isMenuError(error)) return undefined;
      throw error;
    }
  }
}
