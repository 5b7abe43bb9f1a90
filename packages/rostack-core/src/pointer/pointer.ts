import { quote } from '../text/quote.ts';
import { PointerError } from './pointer-error.ts';

// json-pointer = *( "/" reference-token ); "~" is followed by 0 or 1 (RFC 6901, section 3)
const BAD_ESCAPE = /~(?![01])/;

/** Whether the text is a JSON Pointer; the empty text is one and names the whole document. */
export function isPointer(text: string): boolean {
  return text === '' || (text.startsWith('/') && !BAD_ESCAPE.test(text));
}

/**
 * The reference tokens of a JSON Pointer, unescaped; the empty text has none.
 * @throws PointerError `invalid_pointer` when the text neither is empty nor starts with `/`, or has a `~` that 0 or 1 does not follow
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

/** The JSON Pointer of a list of reference tokens. Each list has exactly one text, so pointers compare as texts. */
export function formatPointer(path: readonly string[]): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
