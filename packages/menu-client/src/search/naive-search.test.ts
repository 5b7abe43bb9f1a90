import { disassemble, getChoseong } from 'es-hangul';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Restaurant } from '../domain/restaurant.ts';
import { RestaurantIndex } from './restaurant-index.ts';

const COLLATOR = new Intl.Collator('ko');
/** From best to worst. */
const TIERS = ['exact', 'prefix', 'contains', 'initials', 'typo'] as const;

const joined = (text: string) => text.replaceAll(/\s/g, '');
const spelled = (text: string) => disassemble(text).split('');
const partsOf = (word: string) =>
  Array.from(word, (_, from) => from)
    .flatMap((from) => [2, 3, 4, 5, 6, 7, 8].map((length) => word.slice(from, from + length)))
    .filter((part) => part.length >= 2)
    .concat(word);

/** Every list that one typo makes of a list, with the letters that the names here have. */
function oneTypo<T>(signs: readonly T[], letters: readonly T[]): readonly (readonly T[])[] {
  const places = Array.from({ length: signs.length + 1 }, (_, at) => at);
  return [
    ...places.flatMap((at) => letters.map((letter) => signs.toSpliced(at, 0, letter))),
    ...places.flatMap((at) => letters.map((letter) => signs.toSpliced(at, 1, letter))),
    ...places.map((at) => signs.toSpliced(at, 1)),
    ...swapped(signs),
  ];
}

const swapped = <T>(signs: readonly T[]): readonly (readonly T[])[] =>
  signs.slice(1).map((second, at) => signs.toSpliced(at, 2, second, signs[at] as T));

/** Among them those that two swapped letters make of each other: 감난 and 간만. */
const SYLLABLES = ['감', '난', '간', '만', '강', '값', '과'];
const ALL_LETTERS = [...new Set(SYLLABLES.flatMap(spelled)), '5'];

function hasTypo(field: string, token: string): boolean {
  const letters = spelled(token);
  if (letters.length < 4 || letters.length > 40 || token.includes('5')) return false;
  const near = new Set(
    [
      ...oneTypo(letters, ALL_LETTERS),
      ...swapped(token.split('')).map((signs) => spelled(signs.join(''))),
    ].map((each) => each.join('')),
  );
  return field.split(' ').some((word) => partsOf(word).some((part) => near.has(disassemble(part))));
}

function hasInitials(field: string, token: string): boolean {
  const matches = (sign: string, at: number) =>
    token[at] === sign || (/[ㄱ-ㅎ]/.test(token[at] ?? '') && getChoseong(sign) === token[at]);
  return Array.from(field, (_, from) => field.slice(from, from + token.length)).some(
    (part) => part.length === token.length && Array.from(part, matches).every(Boolean),
  );
}

function tierOf({ name, location }: Restaurant, token: string, mayTypo: boolean): number {
  const fields = [name, ...location];
  const found = {
    exact: fields.some((field) => joined(field) === token),
    prefix: fields.some((field) => joined(field).startsWith(token)),
    contains: fields.some((field) => joined(field).includes(token)),
    initials: fields.some((field) => hasInitials(joined(field), token)),
    typo: mayTypo && fields.some((field) => hasTypo(field, token)),
  };
  const best = TIERS.findIndex((tier) => found[tier]);
  return best === -1 ? TIERS.length : best;
}

/** All ways to cut a word, longest parts first. */
function cuts(word: string): readonly (readonly string[])[] {
  if (word === '') return [[]];
  const lengths = Array.from(word, (_, at) => at + 1).filter((length) => length >= 2);
  return lengths
    .toReversed()
    .flatMap((length) => cuts(word.slice(length)).map((rest) => [word.slice(0, length), ...rest]));
}

/** What a search has to answer for words that are nothing but words: no ids, operators, Latin letters, days or endings. */
function naiveSearch(restaurants: readonly Restaurant[], query: string, typos: 'after' | 'alone') {
  const words = [...new Set(query.split(' ').filter((word) => word !== ''))];
  const found = naiveFind(restaurants, words, typos);
  if (found.length > 0) return found;
  const isKnown = (tokens: readonly string[]) => naiveFind(restaurants, tokens, 'never').length > 0;
  const parts = words.flatMap((word) => (isKnown([word]) ? [word] : (cuts(word).find(isKnown) ?? [word])));
  return naiveFind(restaurants, parts, 'never');
}

function naiveFind(
  restaurants: readonly Restaurant[],
  words: readonly string[],
  typos: 'after' | 'alone' | 'never',
) {
  const whole = words.join('');
  const ranked = restaurants.map((restaurant) => {
    const tier = Math.max(...words.map((word) => tierOf(restaurant, word, typos !== 'never')));
    const name = joined(restaurant.name);
    const ofName = name === whole ? 0 : name.startsWith(whole) ? 1 : tier;
    return { restaurant, tier: words.length > 1 && tier < 3 ? Math.min(tier, ofName) : tier };
  });
  const all = ranked
    .filter(({ tier }) => tier < TIERS.length)
    .sort(
      (a, b) =>
        a.tier - b.tier ||
        COLLATOR.compare(a.restaurant.name, b.restaurant.name) ||
        COLLATOR.compare(a.restaurant.id, b.restaurant.id),
    );
  const plain = all.filter(({ tier }) => TIERS[tier] !== 'typo');
  return (typos === 'alone' && plain.length > 0 ? plain : all).map(({ restaurant }) => restaurant.id);
}

const texts = (units: readonly string[], maxLength: number) =>
  fc
    .string({ unit: fc.constantFrom(...units), minLength: 1, maxLength })
    .map((text) => text.replaceAll(/ +/g, ' ').trim());
const few = texts(['감', '난', ' '], 5);
const field = fc
  .oneof(texts([...SYLLABLES, ...SYLLABLES, 'ㄱ', '5', ' '], 7), few)
  .filter((text) => text !== '');
const asked = fc
  .oneof(
    texts([...SYLLABLES, 'ㄱ', 'ㄴ', '5', ' '], 6),
    texts(SYLLABLES, 3),
    few,
    fc.tuple(field, field).map(([one, other]) => `${one} ${other}`),
  )
  // `ㄱㄱ` says nothing: let us go.
  .filter((query) => !query.split(' ').includes('ㄱㄱ'));

// The naive search writes out every typo: on a busy machine this takes a while.
test('finds what a naive search finds, in its order', { timeout: 120_000 }, async () => {
  const places = fc.array(fc.record({ name: field, location: fc.array(field, { maxLength: 2 }) }), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(
      places,
      fc.array(asked, { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('after' as const, 'alone' as const),
      async (named, queries, limit, typos) => {
        const restaurants = named.map(
          (place, at): Restaurant => ({ vendor: 'welstory', id: `REST${at}`, ...place }),
        );
        const index = await RestaurantIndex.build(restaurants);
        for (const query of queries) {
          const found = index.search(query, limit, typos).map(({ id }) => id);
          expect(found, query).toEqual(
            query === '' ? [] : naiveSearch(restaurants, query, typos).slice(0, limit),
          );
        }
      },
    ),
  );
});
