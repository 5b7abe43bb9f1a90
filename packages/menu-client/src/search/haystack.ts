import { hasInitials, initialsOf, joinWords } from './search-text.ts';

/** How well a token matches a restaurant: lower is better. */
export const MATCH_TIERS = { exact: 0, prefix: 1, contains: 2, initials: 3, typo: 4, none: 5 } as const;

/** Around every field; no folded text holds it. */
const EDGE = '\u0000';

/**
 * The fields of all entries in one string, so that a token is found in all of them by one native scan, and the same
 * string in initial consonants, position for position.
 */
export class Haystack {
  readonly #text: string;
  readonly #initials: string;
  /** Where each entry ends in the text. */
  readonly #ends: Uint32Array;

  /** @param entries the folded fields of each entry */
  constructor(entries: readonly (readonly string[])[]) {
    const parts = entries.map((fields) => EDGE + fields.map((field) => joinWords(field) + EDGE).join(''));
    this.#text = parts.join('');
    this.#initials = initialsOf(this.#text);
    this.#ends = new Uint32Array(parts.length);
    let end = 0;
    for (const [index, part] of parts.entries()) {
      end += part.length;
      this.#ends[index] = end;
    }
  }

  /** Lowers the tier of every entry that the token matches exactly, as a prefix, inside, or by initials. */
  match(token: string, tiers: Uint8Array): void {
    this.#scan(this.#text, token, (entry, at) => {
      const tier = this.#tierAt(at, token.length);
      if (tier < (tiers[entry] ?? 0)) tiers[entry] = tier;
      return tier === MATCH_TIERS.exact;
    });
    if (!hasInitials(token)) return;
    this.#scan(this.#initials, initialsOf(token), (entry, at) => {
      if ((tiers[entry] ?? 0) <= MATCH_TIERS.initials) return true;
      if (!this.#agrees(token, at)) return false;
      tiers[entry] = MATCH_TIERS.initials;
      return true;
    });
  }

  /** Calls `found` for each occurrence until it says that the entry needs no further one. */
  #scan(text: string, token: string, found: (entry: number, at: number) => boolean): void {
    let entry = 0;
    let at = text.indexOf(token);
    while (at !== -1) {
      let end = this.#ends[entry] ?? 0;
      while (at >= end) {
        entry += 1;
        end = this.#ends[entry] ?? Number.POSITIVE_INFINITY;
      }
      at = text.indexOf(token, found(entry, at) ? end : at + 1);
    }
  }

  #tierAt(at: number, length: number): number {
    if (this.#text[at - 1] !== EDGE) return MATCH_TIERS.contains;
    return this.#text[at + length] === EDGE ? MATCH_TIERS.exact : MATCH_TIERS.prefix;
  }

  /** Only the consonants of the token stand for a whole syllable; its other characters must be there as they are. */
  #agrees(token: string, at: number): boolean {
    for (let index = 0; index < token.length; index += 1) {
      const sign = token[index] ?? '';
      if (sign !== this.#text[at + index] && !hasInitials(sign)) return false;
    }
    return true;
  }
}
