import type { FC } from 'hono/jsx';
import { addDays, type KnownMealCode, mealOrder } from 'menu-client';
import { type ChosenMeal, choosableDates, chosenParameters } from '../../../domain/chosen-meal.ts';
import { linkTo, type PageContext } from '../../page-context.ts';
import { relativeDay } from '../parts/day-navigation.tsx';

export interface WhenProps {
  readonly page: PageContext;
  readonly chosen: ChosenMeal;
  /** The meal that is shown where none was chosen. */
  readonly moment: KnownMealCode;
  /** Meals that there are to choose from, in the order of the day. */
  readonly offered: readonly KnownMealCode[];
}

const MAIN_MEALS: readonly KnownMealCode[] = ['1', '2', '3'];
/** No choice: the address then says so, and what was remembered is forgotten. */
const PRESENT = { meal: 'now' };

/** Address of home with another day or meal. */
function linkToMeal(page: PageContext, chosen: ChosenMeal): string {
  const parameters = chosenParameters(chosen, page.today);
  return linkTo(page, '/', Object.keys(parameters).length === 0 ? PRESENT : parameters);
}

const dayName = (page: PageContext, date: string): string =>
  relativeDay(page, date) ?? page.text.shortDate(date);

/** Which day and meal it is, e.g. `오늘 점심`. */
export function whenName({ page, chosen, moment }: Pick<WhenProps, 'page' | 'chosen' | 'moment'>): string {
  return page.text.mealOf(dayName(page, chosen.date), page.text.meals[chosen.meal ?? moment]);
}

/** Every day and meal that can be chosen, folded under the one that is shown. */
const Choice: FC<WhenProps> = (props) => {
  const { page, chosen, moment, offered } = props;
  const shown = chosen.meal ?? moment;
  return (
    <details class="fold" name="home">
      <summary>
        <h2>{whenName(props)}</h2>
      </summary>
      <div class="panel">
        <nav class="meals" aria-label={page.text.meal}>
          {offered.map((meal) => (
            <a
              href={linkToMeal(page, { ...chosen, meal })}
              rel="nofollow"
              {...(meal === shown ? { 'aria-current': 'true' as const } : {})}
            >
              {page.text.meals[meal]}
            </a>
          ))}
        </nav>
        <nav class="meals" aria-label={page.text.dishDays}>
          {choosableDates(page.today).map((date) => (
            <a
              href={linkToMeal(page, { ...chosen, date })}
              rel="nofollow"
              {...(date === chosen.date ? { 'aria-current': 'date' as const } : {})}
            >
              {dayName(page, date)}
            </a>
          ))}
        </nav>
      </div>
    </details>
  );
};

/** The meal and the day that are shown, and in one tap the next meal, the next day, and back to now. */
export const WhenRow: FC<WhenProps> = (props) => {
  const { page, chosen, moment, offered } = props;
  const { text } = page;
  const isPresent = chosen.date === page.today && chosen.meal === undefined;
  const shown = mealOrder(chosen.meal ?? moment);
  const later = offered.filter((code) => mealOrder(code) > shown);
  // From lunch on, people look for dinner rather than for a snack.
  const nextMeal = later.find((code) => MAIN_MEALS.includes(code)) ?? later[0];
  const nextDay = addDays(chosen.date, 1);
  return (
    <>
      <Choice {...props} />
      {isPresent ? null : (
        <a class="chip" href={linkTo(page, '/', PRESENT)} rel="nofollow">
          {text.now}
        </a>
      )}
      {nextMeal === undefined ? null : (
        <a class="chip" href={linkToMeal(page, { ...chosen, meal: nextMeal })} rel="nofollow" data-ahead>
          {text.meals[nextMeal]}
        </a>
      )}
      {choosableDates(page.today).includes(nextDay) ? (
        <a class="chip" href={linkToMeal(page, { ...chosen, date: nextDay })} rel="nofollow" data-ahead>
          {dayName(page, nextDay)} ▸
        </a>
      ) : null}
    </>
  );
};
