import type { Menu } from '../domain/menu.ts';
import { MenuError, OperatorError } from '../domain/menu-error.ts';
import type { Vendor } from '../domain/restaurant.ts';
import type { Meal, MealReading, Reading, ReadOptions, UnknownValue } from './operator.ts';

/**
 * Reads every row it can; one that cannot be read is dropped and counted, never the whole answer.
 * @throws OperatorError `operator_answer_invalid` if there are rows but none can be read: that is not an empty answer
 */
export function readRows<T, R = unknown>(
  vendor: Vendor,
  rows: readonly R[],
  read: (row: R, index: number) => T | undefined,
): Reading<readonly T[]> {
  const value: T[] = [];
  for (const [index, row] of rows.entries()) {
    const item = read(row, index);
    if (item !== undefined) value.push(item);
  }
  if (value.length === 0 && rows.length > 0) {
    throw new OperatorError(
      vendor,
      'operator_answer_invalid',
      `None of the ${rows.length} rows can be read.`,
    );
  }
  return { value, droppedRows: rows.length - value.length };
}

/** Reads each meal on its own, so that one that fails does not affect the others; only an abort ends all. */
export async function readMeals(
  meals: readonly Meal[],
  options: ReadOptions,
  read: (meal: Meal) => Promise<Reading<readonly Menu[]>>,
): Promise<Reading<readonly MealReading[]>> {
  let droppedRows = 0;
  const unknownValues: UnknownValue[] = [];
  const told = (reading: MealReading): MealReading => {
    options.onMeal?.(reading);
    return reading;
  };
  const value = await Promise.all(
    meals.map(async (meal): Promise<MealReading> => {
      try {
        const reading = await read(meal);
        droppedRows += reading.droppedRows;
        unknownValues.push(...(reading.unknownValues ?? []));
        return told({ ...meal, menus: reading.value });
      } catch (error) {
        if (!(error instanceof MenuError) || error.code === 'closed' || options.signal?.aborted === true)
          throw error;
        return told({ ...meal, error });
      }
    }),
  );
  return { value, droppedRows, ...unknownIn(unknownValues) };
}

/** The member of a reading that has them; absent when there are none. */
export function unknownIn(unknownValues: readonly UnknownValue[]): Pick<Reading<never>, 'unknownValues'> {
  return unknownValues.length === 0 ? {} : { unknownValues };
}
