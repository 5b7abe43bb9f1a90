import { LRUCache } from 'lru-cache';
import { type Haystack, MATCH_TIERS } from './haystack.ts';
import type { TypoIndex } from './typo-index.ts';

/** Tiers of all entries for one token; one byte each. */
export type Tiers = Readonly<Uint8Array>;

interface KnownTiers {
  readonly plain: Tiers;
  withTypos?: Tiers;
}

/** Of tiers, in bytes: words come back in other queries, and with each letter typed after them. */
const MAX_BYTES = 1024 * 1024;

/** How well a token matches each entry, remembered for recent tokens. */
export class TokenTiers {
  readonly #haystack: Haystack;
  readonly #typos: TypoIndex;
  readonly #entryCount: number;
  readonly #known = new LRUCache<string, KnownTiers>({ maxSize: MAX_BYTES });

  constructor(haystack: Haystack, typos: TypoIndex, entryCount: number) {
    this.#haystack = haystack;
    this.#typos = typos;
    this.#entryCount = entryCount;
  }

  /** Without a typo. */
  plain(token: string): Tiers {
    return this.#tiers(token).plain;
  }

  /** With one typo where nothing better matches. */
  withTypos(token: string): Tiers {
    const known = this.#tiers(token);
    return (known.withTypos ??= this.#addTypos(token, known.plain));
  }

  #tiers(token: string): KnownTiers {
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const plain = new Uint8Array(this.#entryCount).fill(MATCH_TIERS.none);
    this.#haystack.match(token, plain);
    const tiers = { plain };
    this.#known.set(token, tiers, { size: 2 * this.#entryCount + token.length });
    return tiers;
  }

  #addTypos(token: string, plain: Tiers): Tiers {
    const tiers = Uint8Array.from(plain);
    for (const entry of this.#typos.match(token)) {
      if (tiers[entry] === MATCH_TIERS.none) tiers[entry] = MATCH_TIERS.typo;
    }
    return tiers;
  }
}
