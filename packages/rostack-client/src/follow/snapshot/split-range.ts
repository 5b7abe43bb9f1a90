import { type Bound, compareBounds } from './range.ts';

/** How many characters after the common beginning are used. */
const WIDTH = 6;

/**
 * Up to `count` values between two others, in ascending order, that divide the records between them into parts of about the same size: by
 * number, or by the characters in which the samples differ. They are guesses: a bad one only makes the parts unequal.
 * @param samples values from between the two
 */
export function splitPoints(from: Bound, to: Bound, count: number, samples: readonly Bound[]): Bound[] {
  const guesses =
    typeof from === 'number' && typeof to === 'number'
      ? numbersBetween(from, to, count)
      : typeof from === 'string' && typeof to === 'string'
        ? textsBetween(from, to, count, samples)
        : [];
  const points: Bound[] = [];
  for (const guess of guesses) {
    const before = points.at(-1) ?? from;
    if (compareBounds(before, guess) < 0 && compareBounds(guess, to) < 0) points.push(guess);
  }
  return points;
}

function numbersBetween(from: number, to: number, count: number): number[] {
  const isWhole = Number.isInteger(from) && Number.isInteger(to);
  return Array.from({ length: count }, (_, index) => {
    const share = (index + 1) / (count + 1);
    const value = from * (1 - share) + to * share;
    return isWhole ? Math.ceil(value) : value;
  });
}

/** Reads what follows the common beginning as the digits of a number, in the alphabet that occurs there; 0 is the end of a text. */
function textsBetween(from: string, to: string, count: number, samples: readonly Bound[]): string[] {
  const [low, high] = [Array.from(from), Array.from(to)];
  const same = low.findIndex((character, index) => character !== high[index]);
  const shared = same === -1 ? low.length : same;
  const prefix = low.slice(0, shared).join('');
  const tails = [from, to, ...samples].flatMap((text) =>
    typeof text === 'string' && text.startsWith(prefix) ? Array.from(text).slice(shared) : [],
  );
  const alphabet = [...new Set(tails)].sort(compareBounds);
  const base = alphabet.length + 1;
  const numberOf = (text: readonly string[]): number => {
    let value = 0;
    for (let at = 0; at < WIDTH; at += 1) {
      value = value * base + alphabet.indexOf(text[shared + at] ?? '') + 1;
    }
    return value;
  };
  return numbersBetween(numberOf(low), numberOf(high), count).map(
    (value) => prefix + textOf(value, alphabet),
  );
}

function textOf(value: number, alphabet: readonly string[]): string {
  const base = alphabet.length + 1;
  const digits = Array.from(
    { length: WIDTH },
    (_, at) => Math.floor(value / base ** (WIDTH - 1 - at)) % base,
  );
  const end = digits.indexOf(0);
  return digits
    .slice(0, end === -1 ? WIDTH : end)
    .map((digit) => alphabet[digit - 1])
    .join('');
}
