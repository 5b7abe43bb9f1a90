import type { MealCode } from './daily-menu.ts';
import type { Menu } from './menu.ts';
import type { Vendor } from './restaurant.ts';

/** One menu of a meal appeared, changed, or is gone. */
export interface MenuChange {
  /** `added`: it was not there before; `changed`: something about it differs; `withdrawn`: it is gone. */
  readonly kind: 'added' | 'changed' | 'withdrawn';
  /** The operator. */
  readonly vendor: Vendor;
  /** `Restaurant.id`. */
  readonly restaurantId: string;
  /** `YYYY-MM-DD`, Asia/Seoul. */
  readonly date: string;
  /** The meal that it is served at. */
  readonly meal: MealCode;
  /** As it is now; as it last was, when withdrawn. */
  readonly menu: Menu;
}

/** What differs between two readings of a meal; the order of menus does not count. */
export function compareMenus(
  before: readonly Menu[],
  after: readonly Menu[],
): readonly Pick<MenuChange, 'kind' | 'menu'>[] {
  const earlier = new Map(before.map((menu) => [menu.id, menu]));
  const changes: Pick<MenuChange, 'kind' | 'menu'>[] = [];
  for (const menu of after) {
    const previous = earlier.get(menu.id);
    earlier.delete(menu.id);
    if (previous === undefined) changes.push({ kind: 'added', menu });
    else if (canonical(previous) !== canonical(menu)) changes.push({ kind: 'changed', menu });
  }
  for (const menu of earlier.values()) changes.push({ kind: 'withdrawn', menu });
  return changes;
}

function canonical(menu: Menu): string {
  return JSON.stringify(menu, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
