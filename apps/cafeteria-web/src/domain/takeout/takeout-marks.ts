/** How many, of something that an operator may leave open: `[1~2Coin]` is 1 to 2. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

/** What the name of a take-out course says besides what it is. */
export interface TakeoutMarks {
  /** The name without its marks; the whole name when it is nothing but marks. */
  readonly name: string;
  /** What each thing of the course costs. */
  readonly coins?: Span;
  /** How many things may be chosen from the course. */
  readonly picks?: Span;
  /** How many pieces one gets. */
  readonly pieces?: number;
}

const RANGE = String.raw`(\d{1,3})(?: ?[~∼〜-] ?(\d{1,3}))?`;
const COINS = new RegExp(String.raw`^ ?\[ ?${RANGE} ?coin ?\]`, 'iu');
const PICKS = new RegExp(String.raw`(?<![\p{L}\p{N}])${RANGE} ?(?:pick|픽)(?![\p{L}\p{N}])`, 'iu');
const PIECES = /\((\d{1,3})\)/u;
const TO_GO = /(?<![\p{L}\p{N}])T\/O(?![\p{L}\p{N}])/iu;

function spanOf(match: RegExpExecArray | null): Span | undefined {
  if (match === null) return undefined;
  const min = Number(match[1]);
  return { min, max: Math.max(min, Number(match[2] ?? min)) };
}

/** Reads the marks that operators put into names of take-out courses. */
export function takeoutMarks(text: string): TakeoutMarks {
  const whole = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const coins = spanOf(COINS.exec(whole));
  const picks = spanOf(PICKS.exec(whole));
  const pieces = PIECES.exec(whole)?.[1];
  const name = [COINS, PICKS, PIECES, TO_GO]
    .reduce((rest, mark) => rest.replace(mark, ' '), whole)
    .replace(/\s+/g, ' ')
    .trim();
  return {
    name: name === '' ? whole : name,
    ...(coins && { coins }),
    ...(picks && { picks }),
    ...(pieces === undefined ? {} : { pieces: Number(pieces) }),
  };
}

/** `2`, or `1~2`. */
export function spanText({ min, max }: Span): string {
  return min === max ? String(min) : `${min}~${max}`;
}
