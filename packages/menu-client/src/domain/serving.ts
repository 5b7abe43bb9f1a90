/** How much a menu is. */
export interface ServingSize {
  /** Dishes after expansion. */
  readonly components: readonly { readonly name: string }[];
  readonly caloriesKcal: number | undefined;
}

/** What decides whether a menu is eaten in or taken out. */
export interface ServingFacts extends ServingSize {
  readonly name: string;
  /** The operator itself says take-out. */
  readonly declaredTakeOut: boolean;
  /** The marks of dishes count too, not only those of the menu's own name. */
  readonly dishMarksCount: boolean;
}

const MAX_TAKE_IN_KCAL = 3000;
const MAX_TAKE_IN_COMPONENTS = 10;

const RANGE = String.raw`\d{1,4}(?: ?[~∼〜-] ?\d{1,4})?`;
const BEFORE = String.raw`(?<![\p{L}\p{N}])`;
const AFTER = String.raw`(?![\p{L}\p{N}])`;

/** One pattern, since every name of every menu is tested with it. */
const TAKE_OUT_MARK = new RegExp(
  [
    String.raw`^ ?\[ ?${RANGE} ?coin ?\]`,
    String.raw`${BEFORE}${RANGE} ?(?:pick|픽)${AFTER}`,
    `${BEFORE}T/O${AFTER}`,
    '코인|사이드',
    String.raw`\(\d{1,9}\)`,
    String.raw`외 ?\d{1,4} ?종 ?$`,
  ].join('|'),
  'iu',
);

/** What `NFKC` leaves as it is, and the words without which such a name has none of the marks. */
const HANGUL_AND_DIGITS = /^[가-힣\d ]*$/;
const HANGUL_OF_MARKS = /코인|사이드|픽|외/;

/**
 * True for a name with one of the marks that operators put on take-out courses. Most names need neither normalization
 * nor the long pattern: without that, a course's row takes a tenth longer to read.
 */
export function bearsTakeOutMark(name: string): boolean {
  if (HANGUL_AND_DIGITS.test(name) && !HANGUL_OF_MARKS.test(name)) return false;
  return TAKE_OUT_MARK.test(name.normalize('NFKC').replace(/\s+/g, ' '));
}

/** True for more than one person eats: such a menu is several things to choose from. */
export function exceedsOneServing({ components, caloriesKcal }: ServingSize): boolean {
  return components.length > MAX_TAKE_IN_COMPONENTS || (caloriesKcal ?? 0) > MAX_TAKE_IN_KCAL;
}

export function classifyServing(facts: ServingFacts): 'take-in' | 'take-out' {
  const takeOut =
    facts.declaredTakeOut ||
    exceedsOneServing(facts) ||
    bearsTakeOutMark(facts.name) ||
    (facts.dishMarksCount && facts.components.some(({ name }) => bearsTakeOutMark(name)));
  return takeOut ? 'take-out' : 'take-in';
}

/** Menus that are eaten there, then those that are taken out: few people look at a meal for what to take along. */
export function eatenThereFirst<Served extends { readonly serving: 'take-in' | 'take-out' }>(
  menus: readonly Served[],
): readonly Served[] {
  const packed = menus.filter(({ serving }) => serving === 'take-out');
  return packed.length === 0 ? menus : [...menus.filter(({ serving }) => serving === 'take-in'), ...packed];
}
