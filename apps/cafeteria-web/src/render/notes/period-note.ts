import { type MealPeriod, seoulToday } from 'menu-client';
import { seoulClock } from '../../domain/day/seoul-time.ts';
import { commonMealLabel, type PageContext } from '../page-context.ts';

const ON_ITS_WAY = 'not_read_yet';

/** Where a meal's menus come from, or why there are none, in every medium; undefined when all is well. */
export function periodNote(page: PageContext, period: MealPeriod): string | undefined {
  const { text } = page;
  const { status, fetchedAt, error } = period;
  if (status === 'empty') return text.emptyPeriod;
  const meal = commonMealLabel(page, period);
  if (status === 'failed') return text.mealFailed(meal, text.reason(error?.code ?? ''));
  if (status === 'loading') return text.mealLoading(meal);
  if (status !== 'stale' || fetchedAt === undefined) return undefined;
  const note = error?.code === ON_ITS_WAY ? text.staleLoading : text.staleNote;
  return note(text.date(seoulToday(Date.parse(fetchedAt))), seoulClock(fetchedAt));
}
