import { z } from 'zod';
import { OperatorError } from '../domain/menu-error.ts';

const rows = z.object({ data: z.array(z.unknown()) });
const mealList = z.object({ data: z.object({ mealList: z.array(z.unknown()).nullable() }) });

/** The rows of `data`. @throws OperatorError `operator_answer_invalid`, also for `data: null` */
export function parseRows(value: unknown): readonly unknown[] {
  const parsed = rows.safeParse(value);
  if (!parsed.success) throw invalid('data');
  return parsed.data.data;
}

/** The rows of `data.mealList`, which is null where there are none. @throws OperatorError `operator_answer_invalid`, also for `data: null` */
export function parseMealRows(value: unknown): readonly unknown[] {
  const parsed = mealList.safeParse(value);
  if (!parsed.success) throw invalid('data.mealList');
  return parsed.data.data.mealList ?? [];
}

function invalid(member: string): OperatorError {
  return new OperatorError('welstory', 'operator_answer_invalid', `The answer has no list in \`${member}\`.`);
}
