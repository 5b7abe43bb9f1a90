import { type Restaurant, VENDORS, type Vendor } from '../domain/restaurant.ts';
import { foldText, hasInitials, initialsOf, joinWords } from './search-text.ts';

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

/** What people call the operators and their apps, folded and without spaces. */
const OPERATOR_NAMES: Readonly<Record<Vendor, readonly string[]>> = {
  welstory: ['삼성웰스토리', '웰스토리', 'samsungwelstory', 'welstory', 'welstoryplus'],
  shinsegae: ['신세계푸드', 'shinsegaefood', 'planeatchoice', '플래닛초이스'],
};

const MIN_NAME_LENGTH = 2;

const WORDS = /[\p{L}\p{N}]+/gu;
/** Around every field; no folded text contains it. */
const EDGE = '\u0000';

/** A restaurant as tokens are compared with it: folded and without spaces. */
export interface Entry {
  readonly restaurant: Restaurant;
  readonly id: string;
  readonly name: string;
  /** All fields. */
  readonly text: string;
  /** Of its Hangul, as `hangulBits` has them. */
  readonly bits: number;
  /** The text in initial consonants, position for position. */
  readonly initials: string;
  /** Each word of the fields once. */
  readonly words: ReadonlySet<string>;
}

/** @param fields folded, the name first */
export function entryOf(restaurant: Restaurant, fields: readonly string[]): Entry {
  const [name = '', ...others] = fields.map(joinWords);
  const text = EDGE + [name, ...others].join(EDGE) + EDGE;
  const words = new Set(fields.flatMap((field) => field.match(WORDS) ?? []));
  return {
    restaurant,
    id: joinWords(foldText(restaurant.id)),
    name,
    text,
    bits: hangulBits(text),
    initials: initialsOf(text),
    words,
  };
}

/** The tier of a token in each entry, without typos. */
export function tierOf(token: string): (entry: Entry) => number {
  const [beginning, whole] = [EDGE + token, EDGE + token + EDGE];
  const bits = hangulBits(token);
  const hasInitialsOf = hasInitials(token) ? initialsIn(token) : undefined;
  const operators = operatorsNamed(token);
  return (entry) => {
    if (entry.id === token) return MATCH_TIERS.id;
    if ((bits & ~entry.bits) === 0 && entry.text.includes(token)) {
      if (!entry.text.includes(beginning)) return MATCH_TIERS.contains;
      return entry.text.includes(whole) ? MATCH_TIERS.exact : MATCH_TIERS.prefix;
    }
    if (hasInitialsOf?.(entry) === true) return MATCH_TIERS.initials;
    return operators.length > 0 && operators.includes(entry.restaurant.vendor)
      ? MATCH_TIERS.operator
      : MATCH_TIERS.none;
  };
}

/** Only the consonants of the token match a whole syllable; its other characters must match exactly. */
function initialsIn(token: string): (entry: Entry) => boolean {
  const sought = initialsOf(token);
  const literal = [...token.matchAll(/[^ㄱ-ㅎ]/g)].map(({ index }) => index);
  return ({ text, initials }) => {
    for (let at = initials.indexOf(sought); at !== -1; at = initials.indexOf(sought, at + 1))
      if (literal.every((index) => text[at + index] === token[index])) return true;
    return false;
  };
}

/** The operators with a name that begins with a folded token. */
function operatorsNamed(token: string): readonly Vendor[] {
  if (token.length < MIN_NAME_LENGTH) return [];
  return VENDORS.filter((vendor) => OPERATOR_NAMES[vendor].some((name) => name.startsWith(token)));
}

/** One of 32 bits for each syllable: most texts without a token lack one of its bits, which is seen faster than read. */
function hangulBits(folded: string): number {
  let bits = 0;
  for (let at = 0; at < folded.length; at += 1) {
    const code = folded.charCodeAt(at);
    if (code > 0xff) bits |= 1 << (code & 31);
  }
  return bits;
}
