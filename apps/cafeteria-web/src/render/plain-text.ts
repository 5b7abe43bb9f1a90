// Controls that XML 1.0 and iCalendar forbid, lone surrogates, and the characters that turn the direction of text.
// oxlint-disable-next-line no-control-regex -- control characters are what this removes
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]+/g;

// The same and halves of surrogate pairs, of which a lone one is a fault.
const SUSPICIOUS =
  // oxlint-disable-next-line no-control-regex -- control characters are what this finds
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]/;

/** Text of an operator as one line that every medium can carry; markup in it is still to be escaped. */
export function plainLine(text: string): string {
  // Looking is several times cheaper than replacing, and there is hardly ever anything to replace.
  if (!SUSPICIOUS.test(text)) return text.trim();
  return text.toWellFormed().replaceAll(UNSAFE, ' ').trim();
}

// The same and the characters of markup.
const UNWRITABLE =
  // oxlint-disable-next-line no-control-regex -- control characters are among what this finds
  /[\u0000-\u001f"&'<>\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]/;

/** Escaped for HTML text and attribute values. */
export function escapeHtml(text: string): string {
  if (!UNWRITABLE.test(text)) return text.trim();
  // The ampersand first: the others bring new ones.
  return plainLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
