import type { Menu } from '../domain/menu.ts';
import { MenuError } from '../error/menu-error.ts';
import type { Meal, MealReading, Reading, ReadOptions } from './operator.ts';

/** Reads each meal on its own, so that one that fails does not spoil the others; only an abort ends all. */
export async function readMeals(
  meals: readonly Meal[],
  options: ReadOptions,
  read: (meal: Meal) => Promise<Reading<readonly Menu[]>>,
): Promise<Reading<readonly MealReading[]>> {
  let droppedRows = 0;
  const value = await Promise.all(
    meals.map(async (meal): Promise<MealReading> => {
      try {
        const reading = await read(meal);
        droppedRows += reading.droppedRows;
        return { ...meal, menus: reading.value };
      } catch (error) {
        if (!(error instanceof MenuError) || error.code === 'closed' || options.signal?.aborted === true)
          throw error;
        return { ...meal, error };
      }
    }),
  );
  return { value, droppedRows };
}
