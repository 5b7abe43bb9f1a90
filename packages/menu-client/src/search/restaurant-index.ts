import { type Restaurant, VENDORS } from '../domain/restaurant.ts';
import { parseAsked } from './asked-text.ts';
import { isEmptyWord, stemsOf } from './empty-words.ts';
import { inTurns, type Work } from './in-turns.ts';
import { type Entry, entryOf, MATCH_TIERS } from './match-tiers.ts';
import { inHangul, parseQuery, type QueryWord } from './query-words.ts';
import { RomanWords } from './roman-words.ts';
import { foldText, joinWords } from './search-text.ts';
import { type Tiers, TokenTiers } from './token-tiers.ts';
import { wordsWithin } from './words-within.ts';

const COLLATOR = new Intl.Collator('ko');

interface IndexParts {
  /** In the order of ties. */
  readonly ordered: readonly Restaurant[];
  /** Of each, in the same order. */
  readonly entries: readonly Entry[];
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
  const entries: Entry[] = [];
  const allFields: (readonly string[])[] = [];
  for (const restaurant of ordered) {
    const { name, nameEn, location, locationEn = [] } = restaurant;
    const names = [name, ...(nameEn === undefined ? [] : [nameEn])];
    const fields = [...names, ...new Set([...location, ...locationEn])].map(foldText);
    entries.push(entryOf(restaurant, fields));
    allFields.push(fields);
    yield;
  }
  const romanWords = yield* RomanWords.of(allFields);
  return { ordered, entries, tiers: new TokenTiers(entries), romanWords };
}

/**
 * Search over a fixed set of restaurants. Every word of a query must match name (Korean or English), location, operator,
 * or the whole id. A restaurant is ranked by its worst word: id, exact, prefix, contains, initial consonants, the operator
 * alone, one typo. A word in Latin letters is the Hangul that is written so too (`pangyo`). One that nothing has is taken for Hangul
 * typed on the wrong keyboard, or for a word with an ending (`강남역에서`). Where nothing has every word, those that say nothing are left
 * out: `구내식당`, days and meals; at last, a word that nothing has is taken for several written together (`강남1식당`). Ties: in the
 * order of VENDORS, then Korean collation of the names.
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
    if (this.#parts.tiers.isId(id)) return this.#find([[id]], id, limit);
    const asked = words.map((word) => this.#known(word));
    const whole = words.map(({ folded }) => folded).join('');
    const found = this.#find(asked, whole, limit);
    if (found.length === limit || (found.length > 0 && typos === 'alone')) return found;
    if (found.length > 0) return [...found, ...this.#findTypos(asked, limit - found.length)];
    const fewer = parseQuery(parseAsked(query, ANY_DAY).words.join(' ').replaceAll(PUNCTUATION, ' ')).filter(
      ({ folded }) => !isEmptyWord(folded),
    );
    const meantWhole = fewer.map(({ folded }) => folded).join('');
    if (fewer.length === words.length && meantWhole === whole) {
      const withTypos = this.#findTypos(asked, limit);
      return withTypos.length > 0 ? withTypos : this.#findParts(asked, limit);
    }
    const meant = fewer.map((word) => this.#known(word));
    for (const result of [
      () => this.#find(meant, meantWhole, limit),
      () => this.#findTypos(asked, limit),
      () => this.#findTypos(meant, limit),
      () => this.#findParts(meant, limit),
    ]) {
      const restaurants = result();
      if (restaurants.length > 0) return restaurants;
    }
    return [];
  }

  /** The word, or if nothing has it, what it may stand for. */
  #known({ folded, typed }: QueryWord): Alternatives {
    const { tiers, romanWords } = this.#parts;
    const isKnown = (token: string) => tiers.isKnown(token);
    // Some restaurants of a place have an English name, others do not.
    const same = romanWords.same(folded);
    if (isKnown(folded)) return [folded, ...same];
    if (same.length > 0) return same;
    const one = [...inHangul(typed), folded].flatMap((way) => [way, ...stemsOf(way)]).find(isKnown);
    if (one !== undefined) return [one];
    const begun = romanWords.begun(folded);
    return begun.length === 0 ? [folded] : begun;
  }

  /**
   * What has every word without a typo, best first; the order of ties is that of the entries.
   *
   * @param whole the words together: they may be a name, or its beginning
   */
  #find(words: readonly Alternatives[], whole: string, limit: number): readonly Restaurant[] {
    const { entries, tiers } = this.#parts;
    const perWord = words.map((tokens) => bestOf(tokens.map((token) => tiers.of(token))));
    const byTier: Restaurant[][] = Array.from({ length: MATCH_TIERS.typo }, () => []);
    for (let at = 0; at < entries.length; at += 1) {
      let tier = worstTier(perWord, at);
      const entry = entries[at];
      if (tier >= MATCH_TIERS.typo || entry === undefined) continue;
      if (words.length > 1 && tier < MATCH_TIERS.initials) tier = Math.min(tier, nameTier(entry, whole));
      const group = byTier[tier];
      if (group !== undefined && group.length < limit) group.push(entry.restaurant);
    }
    return byTier.flat().slice(0, limit);
  }

  /** What has every word, where those that nothing has are several written together: `강남1식당`. */
  #findParts(words: readonly Alternatives[], limit: number): readonly Restaurant[] {
    const { tiers } = this.#parts;
    const has = (token: string) => tiers.isKnown(token);
    const asEach = (tokens: readonly string[]): readonly Alternatives[] => tokens.map((token) => [token]);
    const hasAll = (tokens: readonly string[]) => this.#find(asEach(tokens), '', 1).length > 0;
    const parts: Alternatives[] = [];
    for (const tokens of words) {
      const [token = ''] = tokens;
      const apart = tokens.some(has) ? undefined : wordsWithin(token, { has, hasAll });
      if (apart === undefined) parts.push(tokens);
      else parts.push(...asEach(apart));
    }
    const whole = parts.map(([token = '']) => token).join('');
    return parts.length === words.length ? [] : this.#find(parts, whole, limit);
  }

  /** What has every word, at least one of them only with a typo. */
  #findTypos(words: readonly Alternatives[], limit: number): readonly Restaurant[] {
    const { ordered, tiers } = this.#parts;
    const perWord = words.map((tokens) => bestOf(tokens.map((token) => tiers.withTypos(token))));
    const found: Restaurant[] = [];
    for (let at = 0; at < ordered.length && found.length < limit; at += 1) {
      const restaurant = ordered[at];
      if (worstTier(perWord, at) === MATCH_TIERS.typo && restaurant !== undefined) found.push(restaurant);
    }
    return found;
  }
}

/** Between words that no restaurant has together: `강남-R5`. */
const PUNCTUATION = /[\p{P}\p{S}]+/gu;
/** Days that a query names are left out, so it does not matter which they are. */
const ANY_DAY = '2000-01-01';

/** The best tier of any of the alternatives, for each entry. */
function bestOf([first = new Uint8Array(), ...others]: readonly Tiers[]): Tiers {
  if (others.length === 0) return first;
  return first.map((tier, at) => Math.min(tier, ...others.map((tiers) => tiers[at] ?? MATCH_TIERS.none)));
}

/** The tier of the word that matches an entry worst; one that only names the operator does not make it worse. */
function worstTier(perWord: readonly Tiers[], at: number): number {
  let worst: number = perWord.length === 0 ? MATCH_TIERS.none : MATCH_TIERS.operator;
  for (const tiers of perWord) {
    const tier = tiers[at] ?? MATCH_TIERS.none;
    if (tier === MATCH_TIERS.none) return tier;
    if (worst === MATCH_TIERS.operator || (tier > worst && tier !== MATCH_TIERS.operator)) worst = tier;
  }
  return worst;
}

/** A query of several words may be the name itself, or its beginning. */
function nameTier({ name }: Entry, whole: string): number {
  if (!name.startsWith(whole)) return MATCH_TIERS.none;
  return name === whole ? MATCH_TIERS.exact : MATCH_TIERS.prefix;
}
