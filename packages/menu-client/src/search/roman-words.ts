import { romanize } from 'es-hangul';
import type { Work } from './in-turns.ts';

/** Shorter tokens begin too many words. */
const MIN_LENGTH = 3;
/** Most syllables of a place name: `판교`, `강남역`, `수원사업장`. */
const MAX_SYLLABLES = 5;
/** Words that a token may stand for. */
const MAX_WORDS = 8;
const HANGUL_WORD = /[가-힣]{2,}/g;
const LATIN_TOKEN = /^[a-z]+$/;

/** Several romanisations write one sound with different letters: `Kangnam` and `Gangnam`, `Sungnam` and `Seongnam`. */
function foldLatin(latin: string): string {
  return latin
    .replaceAll(/kk?|gg/g, 'g')
    .replaceAll(/tt?|dd/g, 'd')
    .replaceAll(/pp?|bb/g, 'b')
    .replaceAll(/ch|jj/g, 'j')
    .replaceAll(/sh|ss/g, 's')
    .replaceAll(/oo|[eo]u|eo/g, 'u')
    .replaceAll('ee', 'i')
    .replaceAll('l', 'r');
}

/** The Hangul words of a catalogue by how they are written in Latin letters. */
export class RomanWords {
  /** Beginnings of words, in Latin letters and in Hangul. */
  readonly #beginnings: readonly (readonly [latin: string, hangul: string])[];

  /** @param entries the folded fields of each entry */
  static *of(entries: readonly (readonly string[])[]): Work<RomanWords> {
    const words = new Set<string>();
    for (const fields of entries) {
      for (const field of fields) {
        for (const [word] of field.matchAll(HANGUL_WORD)) {
          for (let end = 2; end <= Math.min(word.length, MAX_SYLLABLES); end += 1)
            words.add(word.slice(0, end));
        }
      }
      yield;
    }
    const beginnings: [string, string][] = [];
    for (const word of words) {
      beginnings.push([foldLatin(romanize(word)), word]);
      yield;
    }
    return new RomanWords(beginnings.sort(([, a], [, b]) => a.length - b.length));
  }

  private constructor(beginnings: readonly (readonly [latin: string, hangul: string])[]) {
    this.#beginnings = beginnings;
  }

  /** The beginnings of words that are written like a folded token. */
  same(token: string): readonly string[] {
    return this.#shortest(token, (written, latin) => written === latin);
  }

  /** Those that begin like it. */
  begun(token: string): readonly string[] {
    return this.#shortest(token, (written, latin) => written.startsWith(latin));
  }

  #shortest(token: string, matches: (written: string, latin: string) => boolean): readonly string[] {
    if (token.length < MIN_LENGTH || !LATIN_TOKEN.test(token)) return [];
    const latin = foldLatin(token);
    const shortest: string[] = [];
    for (const [written, hangul] of this.#beginnings) {
      if (matches(written, latin) && !shortest.some((word) => hangul.startsWith(word))) shortest.push(hangul);
    }
    return shortest.slice(0, MAX_WORDS);
  }
}
