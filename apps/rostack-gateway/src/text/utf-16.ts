/** The message for a file for which `isUtf16` is true. */
export const UTF_16 = 'it is UTF-16; save it as UTF-8';

/**
 * Whether a text begins like UTF-16: with a byte order mark, or with an ASCII character whose other byte is zero. Text that people write
 * has no other zero bytes.
 */
export function isUtf16(start: Uint8Array): boolean {
  const [first = 1, second = 1] = start;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || (start.length > 1 && (first === 0) !== (second === 0));
}
