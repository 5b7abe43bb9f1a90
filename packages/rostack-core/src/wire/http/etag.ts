/** etagc of RFC 9110 section 8.8.3, without obs-text: what we write. */
const WRITABLE = /^[\x21\x23-\x7e]*$/;

/** [ "W/" ] DQUOTE *etagc DQUOTE, with obs-text: what we read. */
const ENTITY_TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;
/** What proxies that compress add to a tag, such as `"7f3a-gzip"` of Apache, and clients send back. */
const CODING = /(?:-|;)(?:gzip|br|deflate|zstd)$/;
const SEPARATOR = /[ \t]*,[ \t,]*|[ \t]+$/y;

/**
 * Formats a strong entity tag, e.g. `"7f3a"`. Bytes that an entity tag cannot have are percent-encoded, and so is `%`:
 * two versions never share a tag.
 * @param version a record's version, or any other name of one revision
 * @see RFC 9110 section 8.8.3
 */
export function formatEtag(version: string): string {
  const text =
    WRITABLE.test(version) && !version.includes('%') ? version : encodeURIComponent(version.toWellFormed());
  return `"${text}"`;
}

/**
 * Tells whether an `If-None-Match` field matches an entity tag, by weak comparison; `*` matches every tag, a malformed
 * field none. A tag with the name of a compression at its end, which a proxy has added, counts as without it.
 * @param field value of the field, several lines joined by commas
 * @param etag as `formatEtag` wrote it
 * @see RFC 9110 section 13.1.2
 */
export function matchesEtag(field: string, etag: string): boolean {
  const text = field.trim();
  if (text === '*') return true;
  const plain = etag.replace(/^W\//, '');
  let index = 0;
  let found = false;
  while (index < text.length) {
    ENTITY_TAG.lastIndex = index;
    const tag = ENTITY_TAG.exec(text);
    if (tag === null) return false;
    const given = tag[1] ?? '';
    if ([given, given.replace(CODING, '')].some((name) => `"${name}"` === plain)) found = true;
    index = ENTITY_TAG.lastIndex;
    if (index === text.length) break;
    SEPARATOR.lastIndex = index;
    if (SEPARATOR.exec(text) === null) return false;
    index = SEPARATOR.lastIndex;
  }
  return found;
}
