/**
 * `JSON.parse` of a text that this project has written itself, or that has passed `parseStrictJson` before. Text of anybody else goes
 * through `parseStrictJson`, which rejects what `JSON.parse` would silently change.
 * @throws SyntaxError if it is not JSON
 */
export function parseTrustedJson(text: string): unknown {
  // oxlint-disable-next-line eslint/no-restricted-properties -- the one place for texts that are trusted
  return JSON.parse(text);
}
