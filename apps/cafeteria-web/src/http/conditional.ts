/** True when one of the tags of `If-None-Match` is the entity's, compared weakly (RFC 9110 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const bare = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === bare);
}

/** The fields of a 304 answer: those of the entity but for what describes its body. */
export function notModifiedFields(fields: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]];
    if (!/^content-(?:type|length|encoding)$/i.test(name)) kept.push(name, value);
  }
  return kept;
}

const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

/** @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding !== undefined && ACCEPTS_GZIP.test(acceptEncoding);
}
