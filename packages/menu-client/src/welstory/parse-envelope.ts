import { z } from 'zod';
import { OperatorError } from '../domain/menu-error.ts';

const list = z.array(z.unknown());
const meals = z.union([
  list,
  z.object({ mealList: list.nullable() }).transform((data) => data.mealList ?? []),
]);
// The envelope is optional: its content may be the whole answer.
const rows = z.union([list, z.object({ data: list }).transform(({ data }) => data)]);
const mealList = z.union([meals, z.object({ data: meals }).transform(({ data }) => data)]);

/** The rows of `data`, or of the answer itself. @throws OperatorError `operator_answer_invalid`, also for `data: null` */
export function parseRows(value: unknown): readonly unknown[] {
  const parsed = rows.safeParse(value);
  if (!parsed.success) throw invalid('data');
  return parsed.data;
}

/**
 * The rows of `data.mealList`, which is null if there are none, or of the list itself.
 * @throws OperatorError `operator_answer_invalid`, also for `data: null`
 */
export function parseMealRows(value: unknown): readonly unknown[] {
  const parsed = mealList.safeParse(value);
  if (!parsed.success) throw invalid('data.mealList');
  return parsed.data;
}

function invalid(member: string): OperatorError {
  return new OperatorError('welstory', 'operator_answer_invalid', `The answer has no list in \`${member}\`.`);
}
