import { parseAsked, parseDishQuery } from 'menu-client';

/** The words of a dish as they were typed, without any day or meal named among them: an alarm is for every day. */
export function dishWords(query: string): string {
  // Which words name a day does not depend on which day it is.
  if (parseDishQuery(query, 0).words.length === 0) return '';
  const { words } = parseAsked(query, '2000-01-01');
  return words.length === 0 ? query.trim() : words.join(' ');
}
