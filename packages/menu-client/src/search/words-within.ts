import { stemsOf } from './empty-words.ts';

/** Shorter parts are in too many words. */
const MIN_LENGTH = 2;
/** Longer words are no name. */
const MAX_LENGTH = 30;
/** Ways to cut a word that are tried. */
const MAX_CUTS = 16;

/** What the parts of a word are looked for in. */
interface Known {
  /** True if something has the token, and then of every beginning of it. */
  readonly has: (token: string) => boolean;
  /** True if one thing has all of them. */
  readonly hasAll: (tokens: readonly string[]) => boolean;
}

/**
 * Words that one thing has and that are the folded word when they are written together, the longest first: `강남1식당` is
 * `강남` and `1식당`. Endings that say nothing may follow. Undefined where there are none.
 */
export function wordsWithin(word: string, known: Known): readonly string[] | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  for (const each of [word, ...stemsOf(word)]) {
    let tried = 0;
    for (const parts of cuts(each, 0, known, new Set())) {
      if (parts.length > 1 && known.hasAll(parts)) return parts;
      tried += 1;
      if (tried === MAX_CUTS) break;
    }
  }
  return undefined;
}

/** @param without where no known words follow, so that nothing is tried twice */
function* cuts(word: string, from: number, known: Known, without: Set<number>): Generator<readonly string[]> {
  if (from === word.length) {
    yield [];
    return;
  }
  if (without.has(from)) return;
  let end = from + MIN_LENGTH;
  while (end <= word.length && known.has(word.slice(from, end))) end += 1;
  let follows = false;
  for (end -= 1; end >= from + MIN_LENGTH; end -= 1) {
    const part = word.slice(from, end);
    for (const rest of cuts(word, end, known, without)) {
      follows = true;
      yield [part, ...rest];
    }
  }
  if (!follows) without.add(from);
}
