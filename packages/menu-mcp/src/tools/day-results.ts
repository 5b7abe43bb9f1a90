import { LRUCache } from 'lru-cache';
import type { DailyMenu } from 'menu-client';
import type { MenuSelection } from '../output/menu-selection.ts';
import type { ToolResult } from './tool-result.ts';

/** Enough for the days that many people ask for, such as today at a big restaurant. */
const MAX_DAYS = 500;

/** Differs between two readings of a day: a period's menus change only with its `fetchedAt`, a bundle's items with their own. */
function fingerprint({ restaurant, periods }: DailyMenu): string {
  return JSON.stringify([
    restaurant.name,
    restaurant.location,
    periods.map(({ code, label, status, fetchedAt, changedAt, error, menus }) => [
      code,
      label,
      status,
      fetchedAt,
      changedAt,
      error?.code,
      menus.map(({ bundle }) => bundle && [bundle.status, bundle.fetchedAt]),
    ]),
  ]);
}

/** Caches the results of the days that were asked for last, so that each reading of a day is converted once. */
export class DayResults {
  readonly #days = new LRUCache<string, { readonly reading: string; readonly result: ToolResult }>({
    max: MAX_DAYS,
  });

  /** The cached result of this reading and selection, or a new one. */
  of(
    day: DailyMenu,
    { meal, view, sort }: MenuSelection,
    /** What else the result depends on, such as the part of the day. */
    moment: string,
    create: () => ToolResult,
  ): ToolResult {
    const { vendor, id } = day.restaurant;
    const key = `${vendor}/${id}/${day.date}/${meal ?? ''}/${view ?? ''}/${sort ?? ''}/${moment}`;
    const reading = fingerprint(day);
    const kept = this.#days.get(key);
    if (kept?.reading === reading) return kept.result;
    const result = create();
    this.#days.set(key, { reading, result });
    return result;
  }
}
