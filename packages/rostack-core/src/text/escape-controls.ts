/**
 * What a terminal obeys or does not show as it is: control characters (C0, DEL, C1), line and paragraph separators, marks that change the
 * direction of text, other invisible operators, and tags. Joiners and variation selectors stay: scripts and emoji need them.
 */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Text from elsewhere for a terminal or a log: what could control it becomes `\uXXXX`, except newlines and tabs. JSON text keeps its value,
 * since such characters are only in its strings.
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escaped);
}

/** As `escapeControls`, newlines and tabs too: the text stays one line. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/[\n\t]/g, escaped);
}

/** What a program writes to. */
interface Output {
  write(text: string, ...rest: never[]): unknown;
}

/** The same output, to which every text is written as `escapeControls` makes it. */
export function escapedOutput<Stream extends Output>(output: Stream): Stream {
  return new Proxy(output, {
    get: (stream, name) => {
      if (name === 'write') {
        return (chunk: unknown, ...rest: never[]) =>
          stream.write((typeof chunk === 'string' ? escapeControls(chunk) : chunk) as string, ...rest);
      }
      const member: unknown = Reflect.get(stream, name, stream);
      return typeof member === 'function' ? (member as () => unknown).bind(stream) : member;
    },
  });
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
