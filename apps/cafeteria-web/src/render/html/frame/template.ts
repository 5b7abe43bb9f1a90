import { raw } from 'hono/html';
import { escapeToBuffer, type HtmlEscapedString } from 'hono/utils/html';
import { toText } from './document.ts';

// No element has it.
const MARK = '\u0000';

/** What stands in the place of a mark: a text, elements, or nothing. */
export type Filling =
  | string
  | HtmlEscapedString
  | Promise<HtmlEscapedString>
  | readonly Filling[]
  | null
  | undefined;

function fill(buffer: [string], filling: Filling): void {
  if (typeof filling === 'string') escapeToBuffer(filling, buffer);
  else if (Array.isArray(filling)) for (const each of filling as readonly Filling[]) fill(buffer, each);
  else if (filling !== null && filling !== undefined) buffer[0] += toText(filling);
}

/**
 * For elements that a page has a hundred times with other contents: `make` is called once, with marks in the place of
 * what differs, and each use fills them.
 *
 * @param make has elements around any contents and values of attributes
 * @param count how many there are. @default as many as `make` has parameters
 */
export function template<Fillings extends readonly Filling[]>(
  make: (...marks: { [Place in keyof Fillings]: string }) => { toString(): string },
  count: number = make.length,
): (...fillings: Fillings) => HtmlEscapedString {
  const marks = Array.from({ length: count }, (_, index) => MARK + String(index) + MARK);
  // Markup at even places, between it the number of what fills the mark.
  const parts = toText(make(...(marks as { [Place in keyof Fillings]: string })))
    .split(MARK)
    .map((part, at) => (at % 2 === 0 ? part : Number(part)));
  return (...fillings) => {
    const buffer: [string] = [''];
    for (const part of parts) {
      if (typeof part === 'string') buffer[0] += part;
      else fill(buffer, fillings[part]);
    }
    return raw(buffer[0]);
  };
}

/** A template without `lang`, and one for what is Korean on an English page, as `foreignLanguage` says. */
export function templateIn<Fillings extends readonly Filling[]>(
  make: (lang: 'ko' | undefined, ...marks: { [Place in keyof Fillings]: string }) => { toString(): string },
): (lang: 'ko' | undefined, ...fillings: Fillings) => HtmlEscapedString {
  const count = make.length - 1;
  const own = template<Fillings>((...marks) => make(undefined, ...marks), count);
  const korean = template<Fillings>((...marks) => make('ko', ...marks), count);
  return (lang, ...fillings) => (lang === undefined ? own : korean)(...fillings);
}

/** An element that is the same wherever it stands, rendered once. */
export function rendered(element: { toString(): string }): HtmlEscapedString {
  return template(() => element)();
}
