import { type Restaurant, VENDORS } from '../domain/restaurant.ts';
import { parseAsked } from './asked-text.ts';
import { isEmptyWord, stemsOf } from './empty-words.ts';
import { Haystack, MATCH_TIERS } from './haystack.ts';
import { inTurns, type Work } from './in-turns.ts';
import { inHangul, parseQuery, type QueryWord } from './query-words.ts';
import { RomanWords } from './roman-words.ts';
import { foldText, joinWords } from './search-text.ts';
import { type Tiers, TokenTiers } from './token-tiers.ts';
import { TypoIndex } from './typo-index.ts';

const COLLATOR = new Intl.Collator('ko');

interface IndexParts {
  /** In the order of ties. */
  readonly ordered: readonly Restaurant[];
  readonly names: readonly string[];
  readonly tiers: TokenTiers;
  readonly romanWords: RomanWords;
}

/** Tokens one of which a restaurant must have. */
type Alternatives = readonly string[];

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
  const romanWords = yield* RomanWords.of(entries);
  return { ordered, names: entries.map(([name = '']) => joinWords(name)), tiers, romanWords };
}

/**
 * Search over a fixed set of restaurants. Every word of a query must match name (Korean or English), location, operator,
 * or the whole id. A restaurant is ranked by its worst word: id, exact, prefix, contains, initial consonants, the operator
 * alone, one typo. A word in Latin letters is the Hangul that is written so too (`pangyo`). One that nothing has is taken for Hangul
 * typed on the wrong keyboard, or for a word with an ending (`강남역에서`). Where nothing has every word, those that say nothing are left
 * out: `구내식당`, days and meals. Ties: in the order of VENDORS, then Korean collation of the names.
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

  /**
   * The best `limit` matches, best first; none for a blank query.
   *
   * @param typos whether those with a typo come after the others, or only where there are no others
   */
  search(query: string, limit: number, typos: 'after' | 'alone' = 'after'): readonly Restaurant[] {
    const words = parseQuery(query);
    if (words.length === 0) return [];
    const id = joinWords(foldText(query));
    if (this.#parts.tiers.isId(id)) return this.#find([[id]], id, limit, 'typos');
    const asked = words.map((word) => this.#known(word));
    const whole = words.map(({ folded }) => folded).join('');
    const plain = this.#find(asked, whole, limit, 'plain');
    if (plain.length > 0)
      return plain.length === limit || typos === 'alone' ? plain : this.#find(asked, whole, limit, 'typos');
    const fewer = parseQuery(parseAsked(query, ANY_DAY).words.join(' ').replaceAll(PUNCTUATION, ' ')).filter(
      ({ folded }) => !isEmptyWord(folded),
    );
    const meantWhole = fewer.map(({ folded }) => folded).join('');
    if (fewer.length === words.length && meantWhole === whole)
      return this.#find(asked, whole, limit, 'typos');
    const meant = fewer.map((word) => this.#known(word));
    for (const [tokens, text, matching] of [
      [meant, meantWhole, 'plain'],
      [asked, whole, 'typos'],
      [meant, meantWhole, 'typos'],
    ] as const) {
      const found = this.#find(tokens, text, limit, matching);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** @param whole the words together: they may be a name, or its beginning */
  #find(
    tokens: readonly Alternatives[],
    whole: string,
    limit: number,
    matching: 'plain' | 'typos',
  ): readonly Restaurant[] {
    const { tiers } = this.#parts;
    const tiersOf = (token: string): Tiers =>
      matching === 'plain' ? tiers.plain(token) : tiers.withTypos(token);
    return tokens.length === 0
      ? []
      : this.#rank(
          tokens.map((alternatives) => bestOf(alternatives.map(tiersOf))),
          whole,
          limit,
        );
  }

  /** The word, or if nothing has it, what it may stand for. */
  #known({ folded, typed }: QueryWord): Alternatives {
    const matches = (token: string): boolean =>
      this.#parts.tiers.plain(token).some((tier) => tier !== MATCH_TIERS.none);
    const { romanWords } = this.#parts;
    // Some restaurants of a place have an English name, others do not.
    const same = romanWords.same(folded);
    if (matches(folded)) return [folded, ...same];
    if (same.length > 0) return same;
    const one = [...inHangul(typed), ...stemsOf(folded)].find(matches);
    if (one !== undefined) return [one];
    const begun = romanWords.begun(folded);
    return begun.length === 0 ? [folded] : begun;
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

/** Between words that no restaurant has together: `강남-R5`. */
const PUNCTUATION = /[\p{P}\p{S}]+/gu;
/** Days that a query names are left out, so it does not matter which they are. */
const ANY_DAY = '2000-01-01';

/** The best tier of any of the alternatives, for each entry. */
function bestOf([first = new Uint8Array(), ...others]: readonly Tiers[]): Tiers {
  if (others.length === 0) return first;
  const best = first.slice();
  for (const tiers of others) {
    for (let entry = 0; entry < best.length; entry += 1)
      best[entry] = Math.min(best[entry] ?? MATCH_TIERS.none, tiers[entry] ?? MATCH_TIERS.none);
  }
  return best;
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
