import type { MealPeriod } from 'menu-client';
import { seoulClock } from '../../domain/day/seoul-time.ts';
import { namesOf, type PageContext } from '../page-context.ts';

/** One change of a meal since the morning: when, what, and the menu's name as text of the operator. */
export interface ShownChange {
  readonly clock: string;
  readonly kind: string;
  readonly name: string;
}

/** What changed since the morning, the latest first. */
export function shownChanges(page: PageContext, period: MealPeriod): readonly ShownChange[] {
  return (period.changes ?? []).toReversed().map((change) => ({
    clock: seoulClock(change.at),
    kind: page.text.changeKinds[change.kind],
    name: namesOf(page, change).primary,
  }));
}
