import {
  addDays,
  type DailyMenu,
  MenuError,
  type MenuErrorCode,
  type MenuService,
  type WaitOptions,
} from 'menu-client';
import { isLoading, nothingRead, nothingServed, offeredMeals, servedMeals } from './day-view.ts';

/** The day to show when the one asked for has nothing to show. */
export interface OtherDay {
  /**
   * `next`: the next day with menus; `last`: the last one that was read, when the day itself cannot be; `loading`: it is
   * not known yet whether this one is the next.
   */
  readonly kind: 'next' | 'last' | 'loading';
  /** `last`: only the meals that have menus; else all that the operator does not call empty. */
  readonly day: DailyMenu;
}

/** Errors that end the search quietly: nobody asked for these days. */
const BEYOND: ReadonlySet<MenuErrorCode> = new Set<MenuErrorCode>(['date_out_of_range', 'too_many_readings']);

/** A weekend and holidays around it. */
const MAX_DAYS_AHEAD = 7;

/** For today and later days without menus, the next day with some; for a day that cannot be read, the last known one. */
export async function otherDay(
  service: MenuService,
  day: DailyMenu,
  today: string,
  wait: WaitOptions,
): Promise<OtherDay | undefined> {
  const { vendor, id } = day.restaurant;
  if (nothingRead(day)) {
    if (isLoading([day])) return undefined;
    const last = await service.lastKnownDay(vendor, id, day.date, wait);
    return last && { kind: 'last', day: servedMeals(last) };
  }
  if (!nothingServed(day) || day.date < today) return undefined;
  for (let ahead = 1; ahead <= MAX_DAYS_AHEAD; ahead += 1) {
    const date = addDays(day.date, ahead);
    const next = await service.dailyMenu(vendor, id, date, wait).catch((error: unknown) => {
      if (error instanceof MenuError && BEYOND.has(error.code)) return undefined;
      throw error;
    });
    if (next === undefined) return undefined;
    if (nothingRead(next) && isLoading([next])) return { kind: 'loading', day: next };
    if (next.periods.some(({ menus }) => menus.length > 0)) return { kind: 'next', day: offeredMeals(next) };
    // A day that could not be read may be the next one with menus.
    if (!nothingServed(next)) return undefined;
  }
  return undefined;
}
