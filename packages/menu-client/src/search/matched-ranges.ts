import { spellingsOf } from './dish-spellings.ts';
import { stemsOf } from './empty-words.ts';
import { inHangul, parseQuery } from './query-words.ts';
import { foldText, hasInitials, initialsOf, joinWords } from './search-text.ts';

/** From the first character to before the last, in UTF-16 units. */
export type TextRange = readonly [from: number, to: number];

interface FoldedText {
  readonly folded: string;
  /** Where each unit of the folded text comes from. */
  readonly places: readonly TextRange[];
}

// A syllable may be written as several characters, which are folded together.
const SIGNS = new Intl.Segmenter('ko', { granularity: 'grapheme' });

function foldWithPlaces(text: string): FoldedText {
  let folded = '';
  const places: TextRange[] = [];
  let from = 0;
  for (const { segment } of SIGNS.segment(text)) {
    const to = from + segment.length;
    const part = joinWords(foldText(segment));
    folded += part;
    for (let unit = 0; unit < part.length; unit += 1) places.push([from, to]);
    from = to;
  }
  return { folded, places };
}

function indexOfToken(folded: string, token: string): number {
  const at = folded.indexOf(token);
  return at === -1 && hasInitials(token) ? initialsOf(folded).indexOf(initialsOf(token)) : at;
}

/**
 * The parts of a text that the words of a query match, to mark them: in order and without overlaps. Matches as the
 * search does, except for typos.
 */
export function matchedRanges(text: string, query: string): readonly TextRange[] {
  const { folded, places } = foldWithPlaces(text);
  const found = parseQuery(query).flatMap((word): TextRange[] => {
    const written = [
      word.folded,
      ...inHangul(word.typed),
      ...[word.folded, ...stemsOf(word.folded)].flatMap((way) => [way, ...spellingsOf(way)]),
    ];
    const token = written.find((each) => indexOfToken(folded, each) !== -1);
    if (token === undefined) return [];
    const at = indexOfToken(folded, token);
    const [first, last] = [places[at], places[at + token.length - 1]];
    return first === undefined || last === undefined ? [] : [[first[0], last[1]]];
  });
  const merged: [number, number][] = [];
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}
