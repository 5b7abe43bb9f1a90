import { stemsOf } from './empty-words.ts';

/** Shorter parts are in too many words. */
const MIN_LENGTH = 2;
/** Longer words are no name. */
const MAX_LENGTH = 30;

/**
 * Known words that are the folded word when they are written together, the longest first: `강남1식당` is `강남` and `1식당`.
 * Endings that say nothing may follow. Undefined where there are none.
 *
 * @param isKnown true of every beginning of a word that it is true of
 */
export function wordsWithin(
  word: string,
  isKnown: (token: string) => boolean,
): readonly string[] | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  for (const each of [word, ...stemsOf(word)]) {
    const parts = partsFrom(each, 0, isKnown, new Set());
    if (parts !== undefined && parts.length > 1) return parts;
  }
  return undefined;
}

/** @param without where no known words follow, so that nothing is tried twice */
function partsFrom(
  word: string,
  from: number,
  isKnown: (token: string) => boolean,
  without: Set<number>,
): readonly string[] | undefined {
  if (from === word.length) return [];
  if (without.has(from)) return undefined;
  let end = from + MIN_LENGTH;
  while (end <= word.length && isKnown(word.slice(from, end))) end += 1;
  for (end -= 1; end >= from + MIN_LENGTH; end -= 1) {
    const rest = partsFrom(word, end, isKnown, without);
    if (rest !== undefined) return [word.slice(from, end), ...rest];
  }
  without.add(from);
  return undefined;
}
