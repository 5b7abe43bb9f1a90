import type { JsonValue } from 'rostack-core';

/**
 * `JSON.parse` of what is judged here: a member given twice, or a number that a double rounds, is for the checks to find, and the protocol
 * allows other implementations both.
 * @throws SyntaxError if it is not JSON
 */
export function parseJudgedJson(text: string): JsonValue {
  // oxlint-disable-next-line eslint/no-restricted-properties -- see above
  return JSON.parse(text) as JsonValue;
}
