/**
 * What a terminal obeys or does not show as it is: control characters but newlines and tabs, separators, marks that change the direction of
 * text, and tags.
 */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** What a program writes to. */
interface Output {
  write(text: string): unknown;
}

/** The output for text of operators: what could control a terminal is written as `\uXXXX`. JSON text keeps its value. */
export function escapedOutput(output: Output): Output {
  return { write: (text) => output.write(text.replace(CONTROLS, escaped)) };
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
