import { convertQwertyToAlphabet } from 'es-hangul';
import { foldText, joinWords, withoutInvisible } from './search-text.ts';

/** More words than any name and location have. */
const MAX_WORDS = 16;
/** What people write between words; other punctuation belongs to a word (`L.A갈비`). */
const SEPARATORS = /[\s,，、;；|/·]+/;

/** One word of a query. */
export interface QueryWord {
  /** Without punctuation and spaces. */
  readonly folded: string;
  /** As it was typed: on a Korean keyboard, capitals are other letters. */
  readonly typed: string;
}

/** The words of a query, each once. */
export function parseQuery(query: string): readonly QueryWord[] {
  const words = withoutInvisible(query)
    .split(SEPARATORS)
    .map((typed) => ({ folded: joinWords(foldText(typed)), typed }))
    .filter(({ folded }) => folded !== '');
  return [...new Map(words.map((word) => [word.folded, word])).values()].slice(0, MAX_WORDS);
}

const LATIN_WORD = /^\d*[a-z]{2,}\d*$/i;
const SYLLABLES = /^\d*[가-힣]+\d*$/;
const CONSONANTS = /^[ㄱ-ㅎ]+$/;

/** What a word typed in Latin letters gives on a Hangul keyboard, as typed and without capitals; empty if that is no word. */
export function inHangul(typed: string): readonly string[] {
  if (!LATIN_WORD.test(typed)) return [];
  const words = [typed, typed.toLowerCase()].map((keys) => foldText(convertQwertyToAlphabet(keys)));
  return [...new Set(words)].filter((word) => SYLLABLES.test(word) || CONSONANTS.test(word));
}
