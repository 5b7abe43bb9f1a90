import type { JsonValue } from '../json.ts';

/** Whether a record matches. */
export type Predicate = (record: JsonValue) => boolean;

export function not(predicate: Predicate): Predicate {
  return (record) => !predicate(record);
}
