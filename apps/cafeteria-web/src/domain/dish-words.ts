import { parseDishQuery } from 'menu-client';

/** The words of a dish, without any day named among them: an alarm is for every day. */
export function dishWords(query: string): string {
  // Which words name a day does not depend on which day it is.
  return parseDishQuery(query, 0)
    .words.map(([word = '']) => word)
    .join(' ');
}
