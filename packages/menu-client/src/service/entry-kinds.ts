import type { Menu } from '../domain/menu.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import type { Meal } from '../operator/operator.ts';
import type { DayEntry } from './day-entry.ts';
import type { EntryKind } from './entry-cache.ts';
import { type Age, ageFrom, dayAge, type Freshness } from './freshness.ts';

/** Of the bodies in a store: entries of another version are read again instead of being understood. */
const FORMAT_VERSION = 1;

/** A value that is read whole or not at all. */
export interface Dated<T> {
  readonly value: T;
  readonly fetchedAtMs: number;
  /** Rows were dropped, so something may be missing: it is read again as soon as a day would be. */
  readonly incomplete?: boolean;
}

export function catalogueKind(freshness: Freshness): EntryKind<Dated<readonly Restaurant[]>> {
  return { ...json(), age: (entry) => datedAge(entry, freshness.restaurantsMs, freshness) };
}

export function mealsKind(freshness: Freshness): EntryKind<Dated<readonly Meal[]>> {
  return { ...json(), age: (entry) => datedAge(entry, freshness.mealsMs, freshness) };
}

export function detailKind(freshness: Freshness): EntryKind<Dated<Menu>> {
  return { ...json(), age: (entry) => datedAge(entry, freshness.todayMs, freshness) };
}

function datedAge(entry: Dated<unknown>, freshMs: number, freshness: Freshness): Age {
  return ageFrom(entry.fetchedAtMs, entry.incomplete === true ? freshness.todayMs : freshMs, freshness);
}

export function dayKind(date: string, freshness: Freshness, nowMs: () => number): EntryKind<DayEntry> {
  return { ...json(), age: (entry) => dayAge(entry, date, nowMs(), freshness) };
}

/** The last success of an operator, in any process. */
export const successKind: EntryKind<Dated<null>> = {
  ...json<Dated<null>>(),
  age: ({ fetchedAtMs }) => ({ freshUntilMs: fetchedAtMs, usableUntilMs: fetchedAtMs }),
};

/** The store is written by this package alone: its version says whether the text has the shape. */
function json<T>(): Pick<EntryKind<T>, 'encode' | 'decode'> {
  return {
    encode: (entry) => JSON.stringify({ version: FORMAT_VERSION, entry }),
    decode: (body) => {
      try {
        const kept = JSON.parse(body) as { readonly version: number; readonly entry: T };
        return kept.version === FORMAT_VERSION ? kept.entry : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
