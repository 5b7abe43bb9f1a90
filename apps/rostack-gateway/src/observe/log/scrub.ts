/** Patterns of credentials. None can start in the middle of a word, so that long words take linear time. */
const CREDENTIALS: readonly (readonly [RegExp, string])[] = [
  // Shared tokens: the part after the prefix is public, the secret after it is not.
  [/\brostack_([0-9A-Za-z]{11})_[0-9A-Za-z]{20,}(?:_[0-9A-Za-z]+)?/g, 'rostack_$1_[redacted]'],
  [/\b(Bearer|Rostack-Token|Basic)(\s+|%20|\+)[^\s"'\\,;]+/gi, '$1 [redacted]'],
  // JSON Web Tokens.
  [/(?<![0-9A-Za-z_-])eyJ[0-9A-Za-z_-]{5,}\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*/g, '[redacted]'],
  [/(?<![a-z0-9+.-])([a-z][a-z0-9+.-]*:\/\/[^\s:/?#@"\\]*):[^\s/?#@"\\]+@/gi, '$1:[redacted]@'],
  [/([?&](?:password|token|access_token|api_key|secret)=)[^&\s"\\]+/gi, '$1[redacted]'],
];

/** Shorter secrets would match half of a log. */
const MIN_SECRET_LENGTH = 8;

/**
 * Makes a function that removes credentials from a text: these secrets, in every form in which they may be written, and anything that looks
 * like a credential.
 */
export function createScrubber(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = new Set(
    secrets
      .filter((secret) => secret !== undefined && secret.length >= MIN_SECRET_LENGTH)
      .flatMap((secret = '') => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
  );
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, '[redacted]');
    for (const [shape, replacement] of CREDENTIALS) clean = clean.replace(shape, replacement);
    return clean;
  };
}
