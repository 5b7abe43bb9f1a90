import { defineError } from '../../text/define-error.ts';
import type { JsonValue } from '../../text/json.ts';
import { quote } from '../../text/strings.ts';

/** The text is not a JSON Pointer. */
export class PointerError extends defineError('PointerError', 'invalid_pointer', false) {}

// json-pointer = *( "/" reference-token ); "~" is followed by 0 or 1 (RFC 6901, section 3)
const BAD_ESCAPE = /~(?![01])/;

/** Whether the text is a JSON Pointer; the empty text is one and names the whole document. */
export function isPointer(text: string): boolean {
  return text === '' || (text.startsWith('/') && !BAD_ESCAPE.test(text));
}

/**
 * The reference tokens of a JSON Pointer, unescaped; the empty text has none.
 * @throws PointerError `invalid_pointer` when the text is neither empty nor starts with `/`, or has a `~` without 0 or 1
 *   after it
 * @see RFC 6901, section 3 and 4
 */
export function parsePointer(text: string): string[] {
  if (text === '') return [];
  if (!text.startsWith('/')) {
    throw new PointerError(`${quote(text)} is not a JSON Pointer: start it with "/"`);
  }
  if (!text.includes('~')) return text.slice(1).split('/');
  if (BAD_ESCAPE.test(text)) {
    throw new PointerError(
      `${quote(text)} is not a JSON Pointer: write "~" as "~0" and "/" inside a name as "~1"`,
    );
  }
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

// No leading zero, no sign; "-" names the element after the last, which never exists (RFC 6901, section 4).
export const ARRAY_INDEX = /^(?:0|[1-9][0-9]*)$/;

/**
 * The value at a path, or undefined if the record has none. Own members and array elements only: `__proto__`,
 * `constructor`, `length` of an array and `-` are missing unless the JSON itself has a member of that name.
 * @see RFC 6901, section 4; protocol section 10
 */
export function resolvePointer(record: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const token of path) {
    value = resolveToken(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

/** The own member or array element of that name. */
function resolveToken(value: JsonValue, token: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Object.hasOwn(value, token)) return undefined;
  if (Array.isArray(value) && !ARRAY_INDEX.test(token)) return undefined;
  return (value as { readonly [member: string]: JsonValue })[token];
}
