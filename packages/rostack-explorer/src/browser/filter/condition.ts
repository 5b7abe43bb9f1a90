import type { FilterOperator } from 'rostack-core';
import type { ExplorerField } from '../../description/explorer-data.ts';
import { OPERATORS } from '../../description/filter-operators.ts';

/** One row of the filter builder. */
export interface Condition {
  /** Distinguishes rows. */
  readonly key: number;
  readonly pointer: string;
  readonly operator: FilterOperator;
  /** What was typed or chosen; one text for each value of a list. */
  readonly texts: readonly string[];
}

/** How a value is given. */
export type ValueInput =
  | 'presence'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'number'
  | 'instant'
  | 'date'
  | 'text'
  | 'texts';

const isNumeric = ({ types }: ExplorerField): boolean =>
  types.length > 0 && types.every((type) => type === 'number' || type === 'integer' || type === 'null');

/** The input that fits a field's type and the operator. */
export function valueInputFor(field: ExplorerField, operator: FilterOperator): ValueInput {
  const { kind } = OPERATORS[operator];
  if (kind === 'presence') return 'presence';
  if (kind === 'text' || kind === 'part') return 'text';
  if (field.values !== undefined && kind !== 'order') return kind === 'list' ? 'choices' : 'choice';
  if (kind === 'list') return 'texts';
  if (field.types.length === 1 && field.types[0] === 'boolean') return 'boolean';
  if (isNumeric(field)) return 'number';
  // Times are compared as text: a calendar helps with order, equality needs the exact text.
  if (field.format === 'date-time' && kind === 'order') return 'instant';
  if (field.format === 'date') return 'date';
  return 'text';
}

/** A row for a field with its first operator, and with a valid value if possible. */
export function newCondition(key: number, field: ExplorerField, operator = field.operators[0]): Condition {
  if (operator === undefined) throw new Error(`${field.pointer} has no operator`);
  return { key, pointer: field.pointer, operator, texts: firstTexts(field, valueInputFor(field, operator)) };
}

/** The row with another operator; keeps the value if the new operator takes it. */
export function withOperator(
  condition: Condition,
  field: ExplorerField,
  operator: FilterOperator,
): Condition {
  const before = valueInputFor(field, condition.operator);
  const after = valueInputFor(field, operator);
  const texts = before === after ? condition.texts : firstTexts(field, after);
  return { ...condition, operator, texts };
}

function firstTexts(field: ExplorerField, input: ValueInput): readonly string[] {
  if (input === 'presence' || input === 'boolean') return ['true'];
  if (input === 'choice' || input === 'choices')
    return (field.values ?? []).slice(0, 1).map((one) => JSON.stringify(one));
  return [''];
}
