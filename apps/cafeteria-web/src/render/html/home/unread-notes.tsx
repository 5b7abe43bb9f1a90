import type { FC } from 'hono/jsx';
import type { DailyMenu, MealPeriod, Restaurant, UnreadOperator } from 'menu-client';
import { seoulToday } from 'menu-client';
import { seoulClock } from '../../../domain/day/seoul-time.ts';
import type { MyMeal } from '../../../domain/my-meals.ts';
import { incompleteNotes } from '../../notes/unread-notes.ts';
import { commonMealLabel, linkTo, namesOf, type PageContext } from '../../page-context.ts';

/** Says which operators are missing from what is shown. */
export const Incomplete: FC<{ page: PageContext; incomplete: readonly UnreadOperator[] }> = ({
  page,
  incomplete,
}) => (
  <>
    {incompleteNotes(page, incomplete).map((note) => (
      <p class="note warn">{note}</p>
    ))}
  </>
);

interface UnreadProps {
  readonly page: PageContext;
  readonly days: readonly DailyMenu[];
  /** What is shown, with notes of its own. */
  readonly meals: readonly MyMeal[];
  /** Restaurants whose day could not be loaded. */
  readonly failed: readonly Restaurant[];
  /** Address of the page, to ask again. */
  readonly path: string;
}

/** What else of my restaurants could not be read or is old: one note for all that failed, one for all that are old. */
export const UnreadMeals: FC<UnreadProps> = ({ page, days, meals, failed, path }) => {
  const { text } = page;
  const told = new Set(meals.map(({ period }) => period));
  const failedNow = meals.some(({ period }) => period?.status === 'failed');
  const named = (status: MealPeriod['status']): readonly string[] =>
    days.flatMap((day) => {
      const left = day.periods.filter((period) => period.status === status && !told.has(period));
      const labels = left.map((period) => commonMealLabel(page, period)).join(' · ');
      return left.length === 0 ? [] : [`${namesOf(page, day.restaurant).primary} (${labels})`];
    });
  const unread = [...failed.map((restaurant) => namesOf(page, restaurant).primary), ...named('failed')];
  const stale = named('stale');
  const readAt = days
    .flatMap(({ periods }) => periods.filter((period) => period.status === 'stale' && !told.has(period)))
    .flatMap(({ fetchedAt }) => fetchedAt ?? [])
    .sort()[0];
  return (
    <>
      {unread.length === 0 && !failedNow ? null : (
        <div class={unread.length === 0 ? 'retry' : 'note warn retry'}>
          {unread.length === 0 ? null : (
            <p>
              {text.failedPeriod} {unread.join(', ')}
            </p>
          )}
          <a class="button" rel="nofollow" href={linkTo(page, path)}>
            {text.retry}
          </a>
        </div>
      )}
      {stale.length === 0 || readAt === undefined ? null : (
        <p class="note warn">
          {text.staleNote(text.date(seoulToday(Date.parse(readAt))), seoulClock(readAt))} {stale.join(', ')}
        </p>
      )}
    </>
  );
};
