import { addDays, daysBetween } from '../../domain/calendar-date.ts';
import type { InterestCount } from '../../store/menu-store.ts';

/** How many days interest is counted for, including today. */
export const INTEREST_DAYS = 7;

/** Less than a single question four days ago counts as no interest. */
const MIN_INTEREST = 0.25;

/** The first day whose counts still matter. */
export function interestSince(today: string): string {
  return addDays(today, 1 - INTEREST_DAYS);
}

/**
 * How much each restaurant is wanted: the logarithm of each day's count, so that many questions of one visitor weigh
 * little more than a few, halved every two days. Restaurants without interest are absent.
 */
export function scoreInterest(counts: readonly InterestCount[], today: string): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const { restaurantId, date, count } of counts) {
    const age = daysBetween(date, today);
    if (age < 0 || age >= INTEREST_DAYS) continue;
    const score = Math.log2(1 + count) * 2 ** (-age / 2);
    scores.set(restaurantId, (scores.get(restaurantId) ?? 0) + score);
  }
  for (const [id, score] of scores) if (score < MIN_INTEREST) scores.delete(id);
  return scores;
}
