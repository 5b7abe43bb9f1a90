import { LRUCache } from 'lru-cache';
import { type Entry, MATCH_TIERS, tierOf } from './match-tiers.ts';
import { type SpelledWord, spell, typosOf } from './typos.ts';

/** Tiers of all entries for one token; one byte each. */
export type Tiers = Readonly<Uint8Array>;

/** How the entries match one token. */
interface Token {
  readonly tiers: Uint8Array;
  /** True if one of them matches without a typo. */
  readonly known: boolean;
  /** True once the tiers have those with a typo too. */
  hasTypos: boolean;
}

interface KnownWord {
  readonly spelled: SpelledWord;
  /** Those that have it. */
  readonly entries: number[];
}

/** About 3,400 words with 600 restaurants. They come back in other queries: looking for one again takes 30 us. */
const MAX_BYTES = 2 * 1024 * 1024;
const LETTERS = /^[\p{L}\p{M}]+$/u;

/** Finds how well tokens match, by looking through all entries, and remembers it for recent ones. */
export class TokenTiers {
  readonly #entries: readonly Entry[];
  readonly #ids: ReadonlySet<string>;
  readonly #words: readonly KnownWord[];
  readonly #recent = new LRUCache<string, Token>({ maxSize: MAX_BYTES });

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    this.#ids = new Set(entries.map(({ id }) => id));
    const known = new Map<string, KnownWord>();
    for (const [at, { words }] of entries.entries()) {
      for (const word of words) {
        const same = known.get(word);
        if (same === undefined) known.set(word, { spelled: spell(word), entries: [at] });
        else same.entries.push(at);
      }
    }
    this.#words = [...known.values()];
  }

  /** True if the token is a whole id. */
  isId(token: string): boolean {
    return this.#ids.has(token);
  }

  /** True if an entry has the token without a typo. */
  isKnown(token: string): boolean {
    return this.#of(token).known;
  }

  /** Those with a typo are among them only if somebody has asked for them. */
  of(token: string): Tiers {
    return this.#of(token).tiers;
  }

  /** Also one typo, where nothing better matches; an id, or a word with digits, is never taken for another. */
  withTypos(token: string): Tiers {
    const found = this.#of(token);
    if (!found.hasTypos) this.#addTypos(token, found.tiers);
    found.hasTypos = true;
    return found.tiers;
  }

  #of(token: string): Token {
    const recent = this.#recent.get(token);
    if (recent !== undefined) return recent;
    const tiers = new Uint8Array(this.#entries.length);
    const tier = tierOf(token);
    let [at, known] = [0, false];
    for (const entry of this.#entries) {
      tiers[at] = tier(entry);
      known ||= tiers[at] !== MATCH_TIERS.none;
      at += 1;
    }
    const found = { tiers, known, hasTypos: false };
    this.#recent.set(token, found, { size: tiers.length + token.length });
    return found;
  }

  #addTypos(token: string, tiers: Uint8Array): void {
    const isNear = this.isId(token) || !LETTERS.test(token) ? undefined : typosOf(token);
    if (isNear === undefined) return;
    for (const { spelled, entries } of this.#words) {
      if (!isNear(spelled)) continue;
      for (const at of entries) if (tiers[at] === MATCH_TIERS.none) tiers[at] = MATCH_TIERS.typo;
    }
  }
}
