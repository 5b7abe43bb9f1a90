import { LRUCache } from 'lru-cache';
import { type Restaurant, VENDORS, type Vendor } from '../domain/restaurant.ts';
import { type Haystack, MATCH_TIERS } from './haystack.ts';
import { foldText, joinWords } from './search-text.ts';
import type { TypoIndex } from './typo-index.ts';

/** What people call the operators and their apps, folded and without spaces. */
const OPERATOR_NAMES: Readonly<Record<Vendor, readonly string[]>> = {
  welstory: ['삼성웰스토리', '웰스토리', 'samsungwelstory', 'welstory', 'welstoryplus'],
  shinsegae: ['신세계푸드', 'shinsegaefood', 'planeatchoice', '플래닛초이스'],
};

const MIN_NAME_LENGTH = 2;

/** Tiers of all entries for one token; one byte each. */
export type Tiers = Readonly<Uint8Array>;

interface TokenTiersParts {
  /** The entries. */
  readonly restaurants: readonly Restaurant[];
  readonly haystack: Haystack;
  readonly typos: TypoIndex;
}

interface KnownTiers {
  readonly plain: Tiers;
  withTypos?: Tiers;
}

/** Of tiers: about 3,000 words with 600 restaurants. Words come back in other queries, and with each letter typed after them. */
const MAX_BYTES = 4 * 1024 * 1024;

const LETTERS = /^[\p{L}\p{M}]+$/u;

/** How well a token matches each entry, remembered for recent tokens. */
export class TokenTiers {
  readonly #restaurants: readonly Restaurant[];
  readonly #haystack: Haystack;
  readonly #typos: TypoIndex;
  /** Entries by their folded id without spaces. */
  readonly #byId = new Map<string, number[]>();
  readonly #known = new LRUCache<string, KnownTiers>({ maxSize: MAX_BYTES });

  constructor({ restaurants, haystack, typos }: TokenTiersParts) {
    this.#restaurants = restaurants;
    this.#haystack = haystack;
    this.#typos = typos;
    for (const [entry, { id }] of restaurants.entries()) {
      const key = joinWords(foldText(id));
      this.#byId.set(key, [...(this.#byId.get(key) ?? []), entry]);
    }
  }

  /** True if the token is a whole id. */
  isId(token: string): boolean {
    return this.#byId.has(token);
  }

  /** Without a typo. */
  plain(token: string): Tiers {
    return this.#tiers(token).plain;
  }

  /** With one typo if nothing better matches; an id, or a word with digits, is never taken for another. */
  withTypos(token: string): Tiers {
    if (this.isId(token) || !LETTERS.test(token)) return this.plain(token);
    const known = this.#tiers(token);
    return (known.withTypos ??= this.#addTypos(token, known.plain));
  }

  #tiers(token: string): KnownTiers {
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const count = this.#restaurants.length;
    const plain = new Uint8Array(count).fill(MATCH_TIERS.none);
    this.#haystack.match(token, plain);
    this.#matchOperators(token, plain);
    for (const entry of this.#byId.get(token) ?? []) plain[entry] = MATCH_TIERS.id;
    const tiers = { plain };
    this.#known.set(token, tiers, { size: 2 * count + token.length });
    return tiers;
  }

  #matchOperators(token: string, tiers: Uint8Array): void {
    const named = operatorsNamed(token);
    if (named.length === 0) return;
    for (const [entry, { vendor }] of this.#restaurants.entries()) {
      if (tiers[entry] === MATCH_TIERS.none && named.includes(vendor)) tiers[entry] = MATCH_TIERS.operator;
    }
  }

  #addTypos(token: string, plain: Tiers): Tiers {
    const tiers = Uint8Array.from(plain);
    for (const entry of this.#typos.match(token)) {
      if (tiers[entry] === MATCH_TIERS.none) tiers[entry] = MATCH_TIERS.typo;
    }
    return tiers;
  }
}

/** The operators with a name that begins with a folded token. */
function operatorsNamed(token: string): readonly Vendor[] {
  if (token.length < MIN_NAME_LENGTH) return [];
  return VENDORS.filter((vendor) => OPERATOR_NAMES[vendor].some((name) => name.startsWith(token)));
}
