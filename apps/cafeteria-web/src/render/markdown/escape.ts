// Everything that opens an inline construct; `&` for entities, `|` for tables.
const INLINE = /[\\`*_{}[\]<>#|~!&]/g;
// What opens a block at the start of a line: lists, rules, setext underlines.
const BLOCK_START = /^([-+=]|\d+(?=[.)]))/;
// C0 and C1 controls and the characters that turn the direction of text.
// oxlint-disable-next-line no-control-regex -- control characters are what this removes
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** Text of an operator as one line of plain Markdown text: no markup, link or block can come out of it. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(UNSAFE, ' ')
    .trim()
    .replaceAll(INLINE, String.raw`\$&`)
    .replace(BLOCK_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));
}
