import { LRUCache } from 'lru-cache';
import type { DailyMenu } from 'menu-client';
import type { ToolResult } from './tool-result.ts';

/** Days that are asked for again and again, e.g. today's of a big restaurant. */
const MAX_DAYS = 500;

/** Tells two readings of a day apart: a period's menus are those of its `fetchedAt`. */
function fingerprint({ restaurant, periods }: DailyMenu): string {
  return JSON.stringify([
    restaurant.name,
    restaurant.location,
    periods.map(({ code, label, status, fetchedAt, changedAt, error }) => [
      code,
      label,
      status,
      fetchedAt,
      changedAt,
      error?.code,
    ]),
  ]);
}

/** Keeps the results of the days asked for last, so that a day is written out once for each reading of it. */
export class DayResults {
  readonly #days = new LRUCache<string, { readonly reading: string; readonly result: ToolResult }>({
    max: MAX_DAYS,
  });

  /** The kept result of this very reading, else a new one. */
  of(day: DailyMenu, create: () => ToolResult): ToolResult {
    const key = `${day.restaurant.vendor}/${day.restaurant.id}/${day.date}`;
    const reading = fingerprint(day);
    const kept = this.#days.get(key);
    if (kept?.reading === reading) return kept.result;
    const result = create();
    this.#days.set(key, { reading, result });
    return result;
  }
}
