import { isPostgresFailure } from '../../../drivers/postgres/statement/failure.ts';
import type { NetChange } from '../../row/net-change.ts';

/**
 * SQLSTATEs of PostgreSQL for a value that the server cannot return: a text of more than 1 GiB, one that is invalid in the encoding,
 * damaged data, or whatever the functions of a user-defined type reject. Class 22 and these.
 */
const OF_VALUES: ReadonlySet<string> = new Set(['54000', 'XX000', 'XX001']);

/** Why a row of PostgreSQL cannot be read, if its values may be the reason. */
export function valueFault(error: unknown): string | undefined {
  const code = stateOf(error) ?? '';
  if (!code.startsWith('22') && !OF_VALUES.has(code)) return undefined;
  return `the server cannot return its values (${code}): correct the row`;
}

function stateOf(error: unknown): string | undefined {
  if (isPostgresFailure(error)) return error.code;
  return error instanceof Error && error.cause !== undefined ? stateOf(error.cause) : undefined;
}

/** Changes that were read without values; those whose row exists get the reason. */
export function unread(changes: readonly NetChange[], fault: string): readonly NetChange[] {
  return changes.map((change) => (change.refusedBytes == null ? change : { ...change, fault }));
}

/**
 * Reads rows; while a value among them cannot be returned, it reads half as many: in the end the one row with that value, without its
 * values.
 */
export async function readAround<T>(
  maxRows: number,
  readRows: (maxRows: number, unreadable?: string) => Promise<T>,
): Promise<T> {
  try {
    return await readRows(maxRows);
  } catch (error) {
    const fault = valueFault(error);
    if (fault === undefined) throw error;
    if (maxRows > 1) return readAround(Math.floor(maxRows / 2), readRows);
    return readRows(1, fault);
  }
}
