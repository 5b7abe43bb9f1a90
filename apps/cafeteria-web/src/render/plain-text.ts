// Controls that XML 1.0 and iCalendar forbid, lone surrogates, and the characters that turn the direction of text.
// oxlint-disable-next-line no-control-regex -- control characters are what this removes
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]+/g;

/** Text of an operator as one line that every medium can carry; markup in it is still to be escaped. */
export function plainLine(text: string): string {
  return text.toWellFormed().replaceAll(UNSAFE, ' ').trim();
}

// The same, the characters of markup, and halves of surrogate pairs, of which a lone one is a fault.
const UNWRITABLE =
  // oxlint-disable-next-line no-control-regex -- control characters are among what this finds
  /[\u0000-\u001f"&'<>\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]/;

/** Escaped for HTML text and attribute values. */
export function escapeHtml(text: string): string {
  // Looking takes a third of the time, and there is hardly ever anything to replace.
  if (!UNWRITABLE.test(text)) return text.trim();
  // The ampersand first: the others bring new ones.
  return plainLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

// Everything that opens an inline construct; `&` for entities, `|` for tables.
const MARKDOWN_INLINE = /[\\`*_{}[\]<>#|~!&]/g;
// What opens a block at the start of a line: lists, rules, setext underlines.
const MARKDOWN_BLOCK = /^([-+=]|\d+(?=[.)]))/;

/** Text of an operator as one line of plain Markdown text: no markup, link or block can come out of it. */
export function escapeMarkdown(text: string): string {
  return plainLine(text)
    .replaceAll(MARKDOWN_INLINE, String.raw`\$&`)
    .replace(MARKDOWN_BLOCK, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));
}
