/** The JSON Pointer of a list of reference tokens. Each list has exactly one, so pointers can be compared as texts. */
export function formatPointer(path: readonly string[]): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
