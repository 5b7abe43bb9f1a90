import type { Menu } from './menu.ts';

/** What became of a menu since its day began, as readings of that day saw it. */
export interface DayChange {
  /** `available`: sold out before. A menu with a new name is one that is withdrawn and one that is added. */
  readonly kind: 'added' | 'withdrawn' | 'sold-out' | 'available';
  /** `Menu.id` of the menu. */
  readonly menuId: string;
  /** Name of the menu, in Korean. */
  readonly name: string;
  /** English name, where the operator has one. */
  readonly nameEn?: string;
  /** When it was read (RFC 3339, UTC). */
  readonly at: string;
}

/** What differs between two readings as people are told of it: menus that come, go, are sold out, or are back. */
export function dayChanges(
  before: readonly Menu[],
  after: readonly Menu[],
  at: string,
): readonly DayChange[] {
  const change = (kind: DayChange['kind'], { id, name, nameEn }: Menu): DayChange => ({
    kind,
    menuId: id,
    name,
    ...(nameEn === undefined ? {} : { nameEn }),
    at,
  });
  const earlier = new Map(before.map((menu) => [menu.id, menu]));
  const changes = after.flatMap((menu): DayChange[] => {
    const previous = earlier.get(menu.id);
    if (previous?.name !== menu.name) return [change('added', menu)];
    earlier.delete(menu.id);
    if (previous.soldOut === menu.soldOut) return [];
    return [change(menu.soldOut ? 'sold-out' : 'available', menu)];
  });
  return [...changes, ...[...earlier.values()].map((menu) => change('withdrawn', menu))];
}
