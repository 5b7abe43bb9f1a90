import type { Menu } from '../../domain/menu.ts';
import type { Clock } from '../../http/clock.ts';
import type { Meal } from '../../operator/operator.ts';
import type { DayEntry } from './day-entry.ts';
import type { EntryKind } from './entry-cache.ts';
import { ageFrom, dayAge, type Freshness, mealsAge, wholeDayAge } from './freshness.ts';

/** Version of the bodies in a store: entries of an unknown version are read from the operator again. */
const FORMAT_VERSION = 1;
/** Version for days: 2 has bundles. */
const DAY_VERSION = 2;

/** A value that is read whole or not at all. */
export interface Dated<T> {
  readonly value: T;
  readonly fetchedAtMs: number;
  /** Rows were dropped, so something may be missing: it is fresh only for as long as a day is. */
  readonly incomplete?: boolean;
}

export function datedKind<T>(freshMs: number, { freshness, clock }: Aging): EntryKind<Dated<T>> {
  return {
    ...json(),
    age: ({ fetchedAtMs, incomplete }) =>
      ageFrom(fetchedAtMs, incomplete === true ? freshness.todayMs : freshMs, clock.nowMs(), freshness),
  };
}

/** What ages depend on besides the entry. */
interface Aging {
  readonly freshness: Freshness;
  readonly clock: Clock;
}

/** The meals of a restaurant, as old as they may be for a day. */
export function mealsKind(date: string, { freshness, clock }: Aging): EntryKind<Dated<readonly Meal[]>> {
  return { ...json(), age: (entry) => mealsAge(entry, date, clock.nowMs(), freshness) };
}

export interface DayKinds {
  /** Fresh once the menus are, whether or not the items of bundles were asked for. */
  readonly menus: EntryKind<DayEntry>;
  /** Fresh once everything is. */
  readonly whole: EntryKind<DayEntry>;
}

/** @param asked true if somebody is waiting: items that could not be read are then retried before the menus are due */
export function dayKinds(date: string, { freshness, clock }: Aging, asked: boolean): DayKinds {
  const body = json(DAY_VERSION, upgradeDay);
  return {
    menus: { ...body, age: (entry) => dayAge(entry, date, clock.nowMs(), freshness, asked) },
    whole: { ...body, age: (entry) => wholeDayAge(entry, date, clock.nowMs(), freshness, asked) },
  };
}

/** From version 1, which gave a take-out menu the sum of its choices: drops that sum, and has such a day read again at once. */
function upgradeDay(version: number, day: DayEntry): DayEntry | undefined {
  if (version !== 1) return undefined;
  if (day.periods.every(({ menus }) => menus.every(({ serving }) => serving === 'take-in'))) return day;
  const periods = day.periods.map((period) => ({ ...period, menus: period.menus.map(withoutSum) }));
  return { periods, attemptedAtMs: 0 };
}

function withoutSum(menu: Menu): Menu {
  if (menu.serving === 'take-in') return menu;
  const { nutrition: _sum, ...rest } = menu;
  return rest;
}

/** The last success of an operator, in any process. */
export const successKind: EntryKind<Dated<null>> = {
  ...json<Dated<null>>(),
  age: ({ fetchedAtMs }) => ({ freshUntilMs: fetchedAtMs, usableUntilMs: fetchedAtMs }),
};

/** Only this package writes to the store, so the version is enough to know the shape of the text. */
function json<T>(
  current = FORMAT_VERSION,
  upgrade: (version: number, entry: T) => T | undefined = () => undefined,
): Pick<EntryKind<T>, 'encode' | 'decode'> {
  return {
    encode: (entry) => JSON.stringify({ version: current, entry }),
    decode: (body) => {
      try {
        const kept = JSON.parse(body) as { readonly version: number; readonly entry: T };
        return kept.version === current ? kept.entry : upgrade(kept.version, kept.entry);
      } catch {
        return undefined;
      }
    },
  };
}
