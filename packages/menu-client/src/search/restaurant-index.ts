import { type Restaurant, VENDORS } from '../domain/restaurant.ts';
import { Haystack, MATCH_TIERS } from './haystack.ts';
import { inTurns, type Work } from './in-turns.ts';
import { foldText, joinWords } from './search-text.ts';
import { type Tiers, TokenTiers } from './token-tiers.ts';
import { TypoIndex } from './typo-index.ts';

const COLLATOR = new Intl.Collator('ko');

/** More tokens than any name and location have. */
const MAX_TOKENS = 16;

interface IndexParts {
  /** In the order of ties. */
  readonly ordered: readonly Restaurant[];
  readonly names: readonly string[];
  readonly tiers: TokenTiers;
}

function* indexParts(restaurants: readonly Restaurant[]): Work<IndexParts> {
  const ordered = [...restaurants].sort(
    (a, b) =>
      VENDORS.indexOf(a.vendor) - VENDORS.indexOf(b.vendor) ||
      COLLATOR.compare(a.name, b.name) ||
      COLLATOR.compare(a.id, b.id),
  );
  const entries: (readonly string[])[] = [];
  for (const { name, nameEn, location } of ordered) {
    entries.push([name, ...(nameEn === undefined ? [] : [nameEn]), ...location].map(foldText));
    yield;
  }
  const haystack = yield* Haystack.of(entries);
  const tiers = new TokenTiers(haystack, yield* TypoIndex.of(entries), entries.length);
  return { ordered, names: entries.map(([name = '']) => joinWords(name)), tiers };
}

/**
 * Search over a fixed set of restaurants. Every token of a query must match name (Korean or English) or location;
 * the worst of its tokens ranks a restaurant: exact, prefix, contains, initial consonants, one typo. Ties: in the
 * order of VENDORS, then Korean collation of the names. Ids are never matched.
 */
export class RestaurantIndex {
  readonly #parts: IndexParts;

  private constructor(parts: IndexParts) {
    this.#parts = parts;
  }

  /** In slices of about 10 ms, between which a server goes on answering: thousands of restaurants take some hundred. */
  static async build(restaurants: readonly Restaurant[]): Promise<RestaurantIndex> {
    return new RestaurantIndex(await inTurns(indexParts(restaurants)));
  }

  /** All of them, in the order of ties. */
  get restaurants(): readonly Restaurant[] {
    return this.#parts.ordered;
  }

  /** The best `limit` matches, best first; none for a blank query. */
  search(query: string, limit: number): readonly Restaurant[] {
    const tokens = [...new Set(foldText(query).split(' '))]
      .filter((token) => token !== '')
      .slice(0, MAX_TOKENS);
    if (tokens.length === 0) return [];
    const whole = tokens.join('');
    const plain = tokens.map((token) => this.#parts.tiers.plain(token));
    const found = this.#rank(plain, whole, limit);
    if (found.length === limit) return found;
    const withTypos = tokens.map((token) => this.#parts.tiers.withTypos(token));
    return this.#rank(withTypos, whole, limit);
  }

  /** Entries are in tie order already: the first ones of each tier, tier by tier. */
  #rank(perToken: readonly Tiers[], whole: string, limit: number): readonly Restaurant[] {
    const byTier: number[][] = Array.from({ length: MATCH_TIERS.none }, () => []);
    const worst = worstOf(perToken);
    for (let entry = 0; entry < worst.length; entry += 1) {
      let tier = worst[entry] ?? MATCH_TIERS.none;
      if (tier === MATCH_TIERS.none) continue;
      if (perToken.length > 1 && tier < MATCH_TIERS.initials)
        tier = Math.min(tier, this.#wholeTier(entry, whole));
      const group = byTier[tier];
      if (group !== undefined && group.length < limit) group.push(entry);
    }
    return byTier
      .flat()
      .slice(0, limit)
      .flatMap((entry) => this.#parts.ordered[entry] ?? []);
  }

  /** A query of several tokens may be the name itself, or its beginning. */
  #wholeTier(entry: number, whole: string): number {
    const name = this.#parts.names[entry] ?? '';
    if (name === whole) return MATCH_TIERS.exact;
    return name.startsWith(whole) ? MATCH_TIERS.prefix : MATCH_TIERS.none;
  }
}

/** The worst tier of any token, for each entry. */
function worstOf([first = new Uint8Array(), ...others]: readonly Tiers[]): Tiers {
  if (others.length === 0) return first;
  const worst = first.slice();
  for (const tiers of others) {
    for (let entry = 0; entry < worst.length; entry += 1) {
      const tier = tiers[entry] ?? 0;
      if (tier > (worst[entry] ?? 0)) worst[entry] = tier;
    }
  }
  return worst;
}
