import { type Restaurant, VENDORS } from '../domain/restaurant.ts';
import { Haystack, MATCH_TIERS } from './haystack.ts';
import { inTurns, type Work } from './in-turns.ts';
import { inHangul, parseQuery, type QueryWord } from './query-words.ts';
import { foldText, joinWords } from './search-text.ts';
import { type Tiers, TokenTiers } from './token-tiers.ts';
import { TypoIndex } from './typo-index.ts';

const COLLATOR = new Intl.Collator('ko');

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
  for (const { name, nameEn, location, locationEn = [] } of ordered) {
    const names = [name, ...(nameEn === undefined ? [] : [nameEn])];
    entries.push([...names, ...new Set([...location, ...locationEn])].map(foldText));
    yield;
  }
  const haystack = yield* Haystack.of(entries);
  const tiers = new TokenTiers({ restaurants: ordered, haystack, typos: yield* TypoIndex.of(entries) });
  return { ordered, names: entries.map(([name = '']) => joinWords(name).replaceAll(',', '')), tiers };
}

/**
 * Search over a fixed set of restaurants. Every token of a query, between spaces and commas, must match name (Korean or
 * English), location, operator, or the whole id. A restaurant is ranked by its worst token: id, exact, prefix, contains,
 * initial consonants, the operator alone, one typo. A token of Latin letters that matches nothing is taken as Hangul
 * typed on the wrong keyboard. Ties: in the order of VENDORS, then Korean collation of the names.
 */
export class RestaurantIndex {
  readonly #parts: IndexParts;

  private constructor(parts: IndexParts) {
    this.#parts = parts;
  }

  /** In slices of about 10 ms, so that a server keeps answering in between: thousands of restaurants take some 100 ms. */
  static async build(restaurants: readonly Restaurant[]): Promise<RestaurantIndex> {
    return new RestaurantIndex(await inTurns(indexParts(restaurants)));
  }

  /** All of them, in the order of ties. */
  get restaurants(): readonly Restaurant[] {
    return this.#parts.ordered;
  }

  /** The best `limit` matches, best first; none for a blank query. */
  search(query: string, limit: number): readonly Restaurant[] {
    const words = parseQuery(query);
    if (words.length === 0) return [];
    const id = joinWords(foldText(query));
    const tokens = this.#parts.tiers.isId(id) ? [id] : words.map((word) => this.#known(word));
    const whole = words.map(({ folded }) => folded).join('');
    const plain = tokens.map((token) => this.#parts.tiers.plain(token));
    const found = this.#rank(plain, whole, limit);
    if (found.length === limit) return found;
    const withTypos = tokens.map((token) => this.#parts.tiers.withTypos(token));
    return this.#rank(withTypos, whole, limit);
  }

  /** The word, or if nothing has it, the Hangul that its keys type. */
  #known({ folded, typed }: QueryWord): string {
    const matches = (token: string): boolean =>
      this.#parts.tiers.plain(token).some((tier) => tier !== MATCH_TIERS.none);
    const hangul = inHangul(typed);
    if (hangul.length === 0 || matches(folded)) return folded;
    return hangul.find(matches) ?? folded;
  }

  /** Takes the first entries of each tier, tier by tier; entries are already in tie order. */
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

/** The worst tier of any token, for each entry; a token that only names the operator does not make it worse. */
function worstOf([first = new Uint8Array(), ...others]: readonly Tiers[]): Tiers {
  if (others.length === 0) return first;
  const worst = first.slice();
  for (const tiers of others) {
    for (let entry = 0; entry < worst.length; entry += 1) {
      const [tier = 0, known = 0] = [tiers[entry], worst[entry]];
      if (known === MATCH_TIERS.operator || (tier > known && tier !== MATCH_TIERS.operator))
        worst[entry] = tier;
    }
  }
  return worst;
}
