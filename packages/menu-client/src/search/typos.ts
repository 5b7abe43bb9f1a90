import { lettersOf } from './search-text.ts';

/** In words with fewer letters, one typo makes another word. */
const MIN_LETTERS = 4;
const MAX_LETTERS = 40;
/** Of a part of a word, in characters. */
const MIN_PART_LENGTH = 2;
const MAX_PART_LENGTH = 8;

/** A folded word as its letters. */
export interface SpelledWord {
  readonly letters: string;
  /** Where each character begins, and where the last one ends. */
  readonly borders: readonly number[];
  /** One bit for each letter, or for two that share it. */
  readonly bits: number;
}

export function spell(folded: string): SpelledWord {
  let letters = '';
  const borders = [0];
  for (let at = 0; at < folded.length; at += 1) {
    letters += lettersOf(folded.charAt(at));
    borders.push(letters.length);
  }
  let bits = 0;
  for (let at = 0; at < letters.length; at += 1) bits |= 1 << (letters.charCodeAt(at) & 31);
  return { letters, borders, bits };
}

/**
 * Whether words have a token with one typo: a letter changed, missing or added, or two neighbours swapped, letters or
 * characters. A part of a word counts too, 2 to 8 characters in a row: Korean names are compounds written as one word.
 * Undefined for a token that is too short or too long.
 */
export function typosOf(token: string): ((word: SpelledWord) => boolean) | undefined {
  const { letters, bits } = spell(token);
  const { length } = letters;
  if (length < MIN_LETTERS || length > MAX_LETTERS) return undefined;
  const swapped = Array.from({ length: token.length - 1 }, (_, at) =>
    lettersOf(token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2)),
  );
  return (word) => {
    // Whatever the typo, the word lacks at most one letter of the token.
    const missing = bits & ~word.bits;
    if ((missing & (missing - 1)) !== 0) return false;
    const last = word.borders.length - 1;
    for (let from = 0; from < last; from += 1) {
      const start = word.borders[from] ?? 0;
      if (word.letters.length - start < length - 1) return false;
      for (let to = from + 1; to <= last; to += 1) {
        const end = word.borders[to] ?? 0;
        if (end - start > length + 1) break;
        if (end - start < length - 1) continue;
        const isPart = to - from >= MIN_PART_LENGTH && to - from <= MAX_PART_LENGTH;
        if (!isPart && (from > 0 || to < last)) continue;
        if (isOneEdit(letters, word.letters, start, end)) return true;
        if (end - start === length && swapped.some((other) => word.letters.startsWith(other, start)))
          return true;
      }
    }
    return false;
  };
}

/** True if `one` and `other` from `start` to `end` differ in one letter, or in the order of two neighbours. */
function isOneEdit(one: string, other: string, start: number, end: number): boolean {
  const [shorter, longer] = [Math.min(one.length, end - start), Math.max(one.length, end - start)];
  let same = 0;
  while (same < shorter && one.charCodeAt(same) === other.charCodeAt(start + same)) same += 1;
  const at = same;
  for (let back = 1; same < shorter; back += 1, same += 1)
    if (one.charCodeAt(one.length - back) !== other.charCodeAt(end - back)) break;
  if (same >= longer - 1) return true;
  return (
    same === longer - 2 &&
    shorter === longer &&
    one[at] === other[start + at + 1] &&
    one[at + 1] === other[start + at]
  );
}
