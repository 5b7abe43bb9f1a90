// RFC 3986, ASCII only.
const HEX = '[0-9A-Fa-f]';
const ESCAPE = `%${HEX}{2}`;
const PCHAR = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${ESCAPE})`;
const QUERY_CHAR = `(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|${ESCAPE})`;
const H16 = `${HEX}{1,4}`;

const upTo = (groups: number): string => `(?:(?:${H16}:){0,${groups}}${H16})?::`;

/** RFC 3986 section 3.2.2. @param last the last 32 bits */
const ipv6 = (last: string): string =>
  [
    `(?:${H16}:){6}${last}`,
    `::(?:${H16}:){5}${last}`,
    ...[0, 1, 2, 3, 4].map((left) => `${upTo(left)}(?:${H16}:){${4 - left}}${last}`),
    `${upTo(5)}${H16}`,
    upTo(6),
  ].join('|');

// Without the mixed IPv4 notation.
const IPV6 = ipv6(`${H16}:${H16}`);

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

/** An expression of a URI template. */
export const EXPRESSION_PATTERN = new RegExp(EXPRESSION, 'gu');

/** An https URI template: the origin is literal, the rest may have expressions (RFC 6570). */
export const HTTPS_TEMPLATE_PATTERN = new RegExp(
  `^https://${AUTHORITY}(?:(?:[/?#]|${EXPRESSION})(?:${QUERY_CHAR}|#|${EXPRESSION})*)?$`,
  'u',
);

// What validators that assert the formats `uri` and `uri-reference` accept (ajv-formats, which many use). It is RFC 3986 with
// every form of host, and a little more: an authority after one slash; in references also `"`, and `:` in the first segment.
const OCTET = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})';
const ANY_IPV6 = ipv6(`(?:${H16}:${H16}|(?:${OCTET}\\.){3}${OCTET})`);
const IP_FUTURE = `[Vv]${HEX}+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+`;

function formatOf(scheme: string, extra: string, end: string): RegExp {
  const character = `(?:[A-Za-z0-9._~!$&'()*+,;=:@${extra}-]|${ESCAPE})`;
  const name = `(?:[A-Za-z0-9._~!$&'()*+,;=${extra}-]|${ESCAPE})*`;
  const segments = `(?:/${character}*)*`;
  const authority = `${USER_INFO}(?:\\[(?:${ANY_IPV6}|${IP_FUTURE})\\]|${name})(?::[0-9]*)?`;
  const hierarchy = `(?://?${authority}${segments}|/(?:${character}+${segments})?|${character}+${segments})${end}`;
  const tail = `(?:\\?(?:${character}|[/?])*)?(?:#(?:${character}|[/?])*)?`;
  return new RegExp(`^${scheme}${hierarchy}${tail}$`, 'u');
}

/** What the format `uri` accepts. */
export const URI_FORMAT = formatOf(`${SCHEME}:`, '', '');

/** What the format `uri-reference` accepts. */
export const URI_REFERENCE_FORMAT = formatOf(`(?:${SCHEME}:)?`, '"', '?');
