/** A record's id as the record holds it: a string, or an integer from -(2^53 - 1) to 2^53 - 1. */
export type RecordId = string | number;

/**
 * The text of a record's id, which names the record everywhere but in the record itself: in logs, URLs, events and cursors. A string is
 * used as it is. An integer is written in decimal, with a minus sign below 0 and without leading zeros. So 42 and "42" name one record.
 * @returns undefined if a value is neither a string nor an integer that a JSON number holds exactly
 * @see protocol section 10, `id` of a record
 */
export function recordIdText(id: unknown): string | undefined {
  if (typeof id === 'string') return id;
  return Number.isSafeInteger(id) ? String(id) : undefined;
}
