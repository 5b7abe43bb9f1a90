import type { Meal, SandboxRestaurant } from '../catalogue/restaurant.ts';
import { seoulHour } from '../seeded/calendar.ts';
import { hashKeys } from '../seeded/random.ts';

/** Hour in Seoul from which a dinner that was added during the day is listed. */
const ADDED_AT_HOUR = 12;

/** The meals that a restaurant lists at this moment: in recordings, some add dinner only at noon. */
export function listedMeals(
  { recorded, clock }: { readonly recorded: boolean; readonly clock: () => number },
  { id, meals }: SandboxRestaurant,
): readonly Meal[] {
  const addsDinner = recorded && hashKeys('added', id) % 4 === 0;
  if (!addsDinner || seoulHour(clock()) >= ADDED_AT_HOUR) return meals;
  return meals.filter(({ code }) => code !== '3');
}
