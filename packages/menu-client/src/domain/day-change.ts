import type { Menu } from './menu.ts';

/** What happened to a menu since its day began, as seen by readings on that day. */
export interface DayChange {
  /** `available`: it was sold out before. A renamed menu counts as one withdrawn and one added. */
  readonly kind: 'added' | 'withdrawn' | 'sold-out' | 'available';
  /** `Menu.id` of the menu. */
  readonly menuId: string;
  /** Name of the menu, in Korean. */
  readonly name: string;
  /** English name, if the operator has one. */
  readonly nameEn?: string;
  /** When it was read (RFC 3339, UTC). */
  readonly at: string;
}

/** The differences between two readings that people are shown: menus that appear, disappear, sell out or come back. */
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
