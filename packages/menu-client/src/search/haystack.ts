import type { Work } from './in-turns.ts';
import { hasInitials, initialsOf, joinWords } from './search-text.ts';

/** How well a token matches a restaurant: lower is better. `operator`: only its operator's name matches. */
export const MATCH_TIERS = {
  id: 0,
  exact: 1,
  prefix: 2,
  contains: 3,
  initials: 4,
  operator: 5,
  typo: 6,
  none: 7,
} as const;

/** Around every field; no folded text contains it. */
const EDGE = '\u0000';

/**
 * The fields of all entries in one string, so that one native scan finds a token in all of them; and the same string in
 * initial consonants, position for position.
 */
export class Haystack {
  readonly #text: string;
  readonly #initials: string;
  /** Names with single consonants are rare: if there are none, typed consonants can only mean syllables. */
  readonly #holdsInitials: boolean;
  /** Where each entry ends in the text. */
  readonly #ends: Uint32Array;

  /** @param entries the folded fields of each entry */
  static *of(entries: readonly (readonly string[])[]): Work<Haystack> {
    const parts: string[] = [];
    const initials: string[] = [];
    for (const fields of entries) {
      const part = EDGE + fields.map((field) => joinWords(field) + EDGE).join('');
      parts.push(part);
      initials.push(initialsOf(part));
      yield;
    }
    return new Haystack(parts, initials);
  }

  private constructor(parts: readonly string[], initials: readonly string[]) {
    this.#text = parts.join('');
    this.#initials = initials.join('');
    this.#holdsInitials = hasInitials(this.#text);
    this.#ends = new Uint32Array(parts.length);
    let end = 0;
    for (const [index, part] of parts.entries()) {
      end += part.length;
      this.#ends[index] = end;
    }
  }

  /** Lowers the tier of every entry that the token matches: exactly, as a prefix, inside, or by initials. */
  match(token: string, tiers: Uint8Array): void {
    const byInitials = hasInitials(token);
    if (!byInitials || this.#holdsInitials) this.#matchText(token, tiers);
    if (byInitials) this.#matchInitials(token, tiers);
  }

  #matchText(token: string, tiers: Uint8Array): void {
    let entry = 0;
    for (let at = this.#text.indexOf(token); at !== -1; ) {
      entry = this.#entryAt(at, entry);
      const tier = this.#tierAt(at, token.length);
      if (tier < (tiers[entry] ?? 0)) tiers[entry] = tier;
      // After an exact match, the rest of the entry cannot match better.
      const next = tier === MATCH_TIERS.exact ? (this.#ends[entry] ?? 0) : at + 1;
      at = this.#text.indexOf(token, next);
    }
  }

  /** Only the consonants of the token match a whole syllable; its other characters must match exactly. */
  #matchInitials(token: string, tiers: Uint8Array): void {
    const initials = initialsOf(token);
    const literal = Array.from({ length: token.length }, (_, index) => ({
      index,
      sign: token[index] ?? '',
    })).filter(({ sign }) => !hasInitials(sign));
    let entry = 0;
    for (let at = this.#initials.indexOf(initials); at !== -1; ) {
      entry = this.#entryAt(at, entry);
      const better = (tiers[entry] ?? 0) <= MATCH_TIERS.initials;
      const found = !better && literal.every(({ sign, index }) => this.#text[at + index] === sign);
      if (found) tiers[entry] = MATCH_TIERS.initials;
      at = this.#initials.indexOf(initials, better || found ? (this.#ends[entry] ?? 0) : at + 1);
    }
  }

  /** The entry that a position belongs to, searched upwards from an earlier one. */
  #entryAt(at: number, from: number): number {
    let entry = from;
    while (at >= (this.#ends[entry] ?? Number.POSITIVE_INFINITY)) entry += 1;
    return entry;
  }

  #tierAt(at: number, length: number): number {
    if (this.#text[at - 1] !== EDGE) return MATCH_TIERS.contains;
    return this.#text[at + length] === EDGE ? MATCH_TIERS.exact : MATCH_TIERS.prefix;
  }
}
