// Controls that XML 1.0 and iCalendar forbid, lone surrogates, and the characters that change the direction of text.
// oxlint-disable-next-line no-control-regex -- control characters are what this removes
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]+/g;

// The same, plus surrogates, since a lone one is invalid.
const UNSAFE_OR_SURROGATE =
  // oxlint-disable-next-line no-control-regex -- control characters are among what this finds
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]/;

/** An operator's text as one line that every medium can carry; markup in it still has to be escaped. */
export function plainLine(text: string): string {
  // Testing takes a third of the time, and there is hardly ever anything to replace.
  if (!UNSAFE_OR_SURROGATE.test(text)) return text.trim();
  return text.toWellFormed().replaceAll(UNSAFE, ' ').trim();
}

/** Joins texts, adding a full stop to those that end without a mark; empty ones are left out. */
export function sentences(texts: readonly string[]): string {
  const ended = texts.map((text) => text.trim()).filter((text) => text !== '');
  return ended.map((text) => (/[.!?…。]$/.test(text) ? text : `${text}.`)).join(' ');
}

/** Escaped for text of XML. */
export function escapeXml(text: string): string {
  // The ampersand first: the other replacements add new ones.
  return plainLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

// What opens an inline construct wherever it is: escapes, code, emphasis but for `_` inside a word, tags, entities.
const MARKDOWN_INLINE =
  /[\\`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|&(?=#?\w+;)|~(?=.*~)|(?<=~.*)~/giu;
// What opens a block at the start of a line: headings, quotes, lists, rules, setext underlines; `#` also ends a heading.
const MARKDOWN_BLOCK = /^(?:[#>]|[-+](?=\s|$)|[-=](?=[-=\s]*$)|\d{1,9}(?=[.)](?:\s|$)))|#$/g;
// Brackets that could be a link, a definition, a footnote or a checkbox.
const MARKDOWN_LINK = /\][([:]|\]$|^\[[\sx^]/i;

function hasPairedBrackets(text: string): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    open += bracket === '[' ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}

/** An operator's text as one line of plain Markdown text: it cannot become markup, a link or a block. */
export function escapeMarkdown(text: string): string {
  const line = plainLine(text);
  const inline = line.replaceAll(MARKDOWN_INLINE, String.raw`\$&`);
  const linked = MARKDOWN_LINK.test(line) || !hasPairedBrackets(line);
  return (linked ? inline.replaceAll(/[[\]]/g, String.raw`\$&`) : inline).replaceAll(
    MARKDOWN_BLOCK,
    (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`),
  );
}
