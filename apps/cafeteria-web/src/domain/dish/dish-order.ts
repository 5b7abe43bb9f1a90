import { type DishMatch, mealOrder } from 'menu-client';

/**
 * Matches as people look for them: by day, of today the present meal first and then the later ones, then those named after
 * the dish; what is to be chosen from a bundle last.
 *
 * @param present code of the meal of the moment
 */
export function inOrderOfMeals(
  matches: readonly DishMatch[],
  today: string,
  present: string,
): readonly DishMatch[] {
  const order = ({ date, period, menu, found }: DishMatch): readonly [string, ...number[]] => {
    const after = mealOrder(period.code) - mealOrder(present);
    const meal = date === today && after < 0 ? 100 + after : after;
    return [date, meal, menu.bundle === undefined ? 0 : 1, found === 'menu' ? 0 : 1];
  };
  const compare = (a: DishMatch, b: DishMatch): number => {
    const [left, right] = [order(a), order(b)];
    const at = left.findIndex((value, index) => value !== right[index]);
    return at < 0 ? 0 : (left[at] ?? 0) < (right[at] ?? 0) ? -1 : 1;
  };
  return matches.toSorted(compare);
}
