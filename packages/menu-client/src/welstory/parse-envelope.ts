import { z } from 'zod';
import { OperatorError } from '../domain/menu-error.ts';

/** With or without a scheme before it. */
const JWT = /^(?:[A-Za-z]+ )?[\w-]+\.[\w-]+\.[\w-]*$/;

const list = z.array(z.unknown());
// The envelope is optional: its content may be the whole answer.
const rows = z.union([list, z.object({ data: list }).transform(({ data }) => data)]);

/** The two lists of a meal; a dish may be in either or in both. */
export interface MealRows {
  readonly mealList: readonly unknown[];
  readonly smartOrderMenuList: readonly unknown[];
}

const lists = z
  .object({ mealList: list.nullish(), smartOrderMenuList: list.nullish() })
  .refine((data) => data.mealList !== undefined || data.smartOrderMenuList !== undefined)
  .transform(
    (data): MealRows => ({
      mealList: data.mealList ?? [],
      smartOrderMenuList: data.smartOrderMenuList ?? [],
    }),
  );
const meals = z.union([
  list.transform((mealList): MealRows => ({ mealList, smartOrderMenuList: [] })),
  lists,
]);
const mealRows = z.union([meals, z.object({ data: meals }).transform(({ data }) => data)]);

/** The rows of `data`, or of the answer itself. @throws OperatorError `operator_answer_invalid` */
export function parseRows(value: unknown): readonly unknown[] {
  const parsed = rows.safeParse(value);
  if (!parsed.success) throw invalid('data');
  return parsed.data;
}

/**
 * The rows of `data.mealList` and `data.smartOrderMenuList`, of which either is null if there are none, or of the list
 * itself.
 * @throws OperatorError `operator_answer_invalid`
 */
export function parseMealRows(value: unknown): MealRows {
  const parsed = mealRows.safeParse(value);
  if (!parsed.success) throw invalid('data.mealList');
  return parsed.data;
}

/** `null`: that there is nothing, or how an ended session answers; `failure`: the same with the code of a failure. */
export function nullAnswerOf(value: unknown): 'null' | 'failure' | undefined {
  if (typeof value !== 'object' || value === null || !('data' in value) || value.data !== null)
    return undefined;
  const code = 'code' in value ? Number(value.code ?? 0) : 0;
  return Number.isNaN(code) || code === 0 || code === 200 ? 'null' : 'failure';
}

/** The new token of GET /session; undefined for anything that has not the shape of one. */
export function parseSessionToken(value: unknown): string | undefined {
  const token = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined;
  return typeof token === 'string' && JWT.test(token) ? token : undefined;
}

function invalid(member: string): OperatorError {
  return new OperatorError('welstory', 'operator_answer_invalid', `The answer has no list in \`${member}\`.`);
}
