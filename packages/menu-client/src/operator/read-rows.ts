import type { Vendor } from '../domain/restaurant.ts';
import { OperatorError } from '../error/menu-error.ts';
import type { Reading } from './operator.ts';

/**
 * Reads every row it can; one that cannot be read is dropped and counted, never the whole answer.
 * @throws OperatorError `operator_answer_invalid` where there are rows and none can be read: that is not "none"
 */
export function readRows<T>(
  vendor: Vendor,
  rows: readonly unknown[],
  read: (row: unknown, index: number) => T | undefined,
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
