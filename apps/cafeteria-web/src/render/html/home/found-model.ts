import type { DishList, DishMatch, Restaurant, UnreadOperator } from 'menu-client';
import type { PlaceCount } from '../../../domain/place-counts.ts';
import type { Unsearched } from '../../notes/nothing-found.ts';

/** What a search finds. */
export interface FoundModel {
  readonly query: string;
  /** Address of what was asked for, without the language. */
  readonly path: string;
  /** The day that is named, if operators may have menus of it. */
  readonly date: string | undefined;
  /** The day that is named, if menus of it are not searched. */
  readonly outside: string | undefined;
  /** Only what is at this place. */
  readonly place: string | undefined;
  /** The visitor's own first. */
  readonly restaurants: readonly Restaurant[];
  readonly resultLimit: number;
  /** True when the query is for a dish rather than for a restaurant. */
  readonly dishesFirst: boolean;
  /** The visitor's own restaurants. */
  readonly mine: readonly Restaurant[];
  /** Menus that have the dish at the visitor's own restaurants. */
  readonly own: readonly DishMatch[];
  /** Menus elsewhere, as many as are shown. */
  readonly others: readonly DishMatch[];
  /** All that was found, at the place if there is one. */
  readonly all: DishList;
  /** True when every menu that was found is shown. */
  readonly isWhole: boolean;
  /** Where the dish is served, with how many menus have it. */
  readonly places: readonly PlaceCount[];
  /** Operators whose restaurants are missing. */
  readonly incomplete: readonly UnreadOperator[];
  readonly loading: boolean;
}

/** True when there is nothing to show, also where not all could be searched. */
export function findsNothing({ restaurants, all }: FoundModel): boolean {
  return restaurants.length === 0 && all.total === 0;
}

/** What could not be searched. */
export function unsearched({ incomplete, all, outside }: FoundModel): Unsearched {
  return {
    operators: incomplete.length > 0,
    menus: all.unreadDays > 0,
    allMenus: outside !== undefined,
  };
}
