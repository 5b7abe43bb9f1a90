// RFC 3986, ASCII only. Each pattern accepts a subset of what the JSON Schema format of the same name accepts,
// so that a validator which asserts formats decides exactly like one that does not.
const HEX = '[0-9A-Fa-f]';
const ESCAPE = `%${HEX}{2}`;
const PCHAR = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${ESCAPE})`;
const QUERY_CHAR = `(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|${ESCAPE})`;
const H16 = `${HEX}{1,4}`;

// RFC 4291 section 2.2, without the mixed IPv4 notation.
const IPV6 = [
  `(?:${H16}:){7}${H16}`,
  `(?:${H16}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((right) => `(?:${H16}:){1,${7 - right}}(?::${H16}){${right}}`),
  `::(?:(?:${H16}:){0,6}${H16})?`,
].join('|');

const HOST = `(?:\\[(?:${IPV6})\\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|${ESCAPE})+)`;
const AUTHORITY = `${HOST}(?::[0-9]{1,5})?`;
const SEGMENTS = `(?:/${PCHAR}*)*`;
const TAIL = `(?:\\?${QUERY_CHAR}*)?(?:#${QUERY_CHAR}*)?`;
const SCHEME = '[A-Za-z][A-Za-z0-9+.-]*';
const USER_INFO = `(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|${ESCAPE})*@)?`;
const HIERARCHY = `(?://${USER_INFO}(?:${AUTHORITY})?${SEGMENTS}|/?${PCHAR}+${SEGMENTS})`;

/** An absolute https URL without user information (credentials never belong in URLs). */
export const HTTPS_URL_PATTERN = new RegExp(`^https://${AUTHORITY}${SEGMENTS}${TAIL}$`, 'u');

/** An absolute wss URL without user information. */
export const WSS_URL_PATTERN = new RegExp(`^wss://${AUTHORITY}${SEGMENTS}${TAIL}$`, 'u');

/** Any absolute URI. */
export const URI_PATTERN = new RegExp(`^${SCHEME}:${HIERARCHY}${TAIL}$`, 'u');

/** An absolute URI or a relative reference, the empty one included. */
export const URI_REFERENCE_PATTERN = new RegExp(`^(?:(?:${SCHEME}:)?${HIERARCHY}|/)?${TAIL}$`, 'u');

// RFC 6570 section 2.
const VARIABLE = `(?:[A-Za-z0-9_]|${ESCAPE})+(?:\\.(?:[A-Za-z0-9_]|${ESCAPE})+)*(?::[1-9][0-9]{0,3}|\\*)?`;
const EXPRESSION = `\\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\\}`;

/** An https URI template: the origin is literal, the rest may have expressions (RFC 6570). */
export const HTTPS_TEMPLATE_PATTERN = new RegExp(
  `^https://${AUTHORITY}(?:(?:[/?#]|${EXPRESSION})(?:${QUERY_CHAR}|#|${EXPRESSION})*)?$`,
  'u',
);
