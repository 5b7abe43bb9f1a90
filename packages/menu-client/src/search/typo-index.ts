import MiniSearch from 'minisearch';
import type { Work } from './in-turns.ts';
import { lettersOf } from './search-text.ts';

/** In words with fewer letters, one typo makes another word. */
const MIN_LETTERS = 4;
const MAX_LETTERS = 40;
/** Longest part of a word, in characters. */
const MAX_PART_LENGTH = 8;

/**
 * Finds the entries with a word that differs from a token by one changed, missing or added letter, or by two swapped
 * neighbours, letters or whole syllables.
 */
export class TypoIndex {
  readonly #words: MiniSearch;
  readonly #entriesOf: readonly (readonly number[])[];

  /** @param entries the folded fields of each entry */
  static *of(entries: readonly (readonly string[])[]): Work<TypoIndex> {
    const postings = new Map<string, number[]>();
    for (const [entry, fields] of entries.entries()) {
      for (const word of new Set(fields.flatMap(wordsOf))) {
        const posting = postings.get(word);
        if (posting === undefined) postings.set(word, [entry]);
        else posting.push(entry);
      }
      yield;
    }
    const words = new MiniSearch({
      fields: ['word'],
      tokenize: (word) => [word],
      processTerm: (word) => [...new Set(partsOf(word))].map(lettersOf),
      searchOptions: { tokenize: (letters) => [letters], processTerm: (letters) => letters },
    });
    for (const [id, word] of [...postings.keys()].entries()) {
      words.add({ id, word });
      yield;
    }
    return new TypoIndex(words, [...postings.values()]);
  }

  private constructor(words: MiniSearch, entriesOf: readonly (readonly number[])[]) {
    this.#words = words;
    this.#entriesOf = entriesOf;
  }

  /** Entries may come more than once. */
  *match(token: string): Generator<number> {
    const letters = lettersOf(token);
    if (letters.length < MIN_LETTERS || letters.length > MAX_LETTERS) return;
    const near = this.#words.search(letters, { fuzzy: 1 });
    const variants = new Set([...swaps(letters), ...swaps(token).map(lettersOf)]);
    const swapped = [...variants].flatMap((variant) => this.#words.search(variant));
    for (const { id } of [...near, ...swapped]) yield* this.#entriesOf[Number(id)] ?? [];
  }
}

function wordsOf(field: string): readonly string[] {
  return field.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** The word and its parts of two characters or more: Korean names are compounds written as one word. */
function partsOf(word: string): readonly string[] {
  const parts = [word];
  for (let from = 0; from + 2 <= word.length; from += 1) {
    const end = Math.min(word.length, from + MAX_PART_LENGTH);
    for (let to = from + 2; to <= end; to += 1) parts.push(word.slice(from, to));
  }
  return parts;
}

function swaps(text: string): readonly string[] {
  const variants: string[] = [];
  for (let at = 0; at + 1 < text.length; at += 1) {
    if (text[at] === text[at + 1]) continue;
    variants.push(`${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`);
  }
  return variants;
}
