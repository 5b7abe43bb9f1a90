/** Pattern of a decimal in a string, for `pattern` of JSON Schema: no exponent, no leading zeros, any number of digits. */
export const DECIMAL_PATTERN = '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$';

/** The `format` of strings that hold decimals, which compare as numbers. @see https://spec.openapis.org/registry/format/decimal */
export const DECIMAL_FORMAT = 'decimal';

const DECIMAL = new RegExp(DECIMAL_PATTERN);

/** Whether a text is a decimal by `DECIMAL_PATTERN`: `12.50` and `-0.1`, but not `1e3`, `.5`, `+1` or `007`. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** Sorts after every digit. */
const END = '~';
const ZERO = '1';

/**
 * A text for a decimal: texts compare by code point exactly as their decimals do by number, and equal numbers such as `12.5` and `12.50`
 * have equal texts. Text that is not a decimal sorts after all decimals.
 *
 *   key       = "0" inverted magnitude "~"   below zero, each character of the magnitude inverted: 9 for 0, A for B
 *             / "1"                          zero
 *             / "2" magnitude                above zero
 *   magnitude = exponent digits              the value is 0.digits times ten to the exponent; no zero at either end
 *   exponent  = "B" length digits            above 0: how many digits it has, then these
 *             / "A" inverted length digits   0 and below: of its absolute value, inverted
 */
export function decimalKey(text: string): string {
  if (!DECIMAL.test(text)) return `${END}${text}`;
  const isNegative = text.startsWith('-');
  const point = text.indexOf('.');
  const whole = text.slice(isNegative ? 1 : 0, point === -1 ? undefined : point);
  const digits = point === -1 ? whole : whole + text.slice(point + 1);
  const first = firstOther(digits, 0, 1);
  if (first === digits.length) return ZERO;
  const last = firstOther(digits, digits.length - 1, -1);
  const magnitude = exponentText(whole.length - first) + digits.slice(first, last + 1);
  return isNegative ? `0${inverted(magnitude)}${END}` : `2${magnitude}`;
}

/** Index of the first digit in this direction that is not zero. */
function firstOther(digits: string, from: number, step: 1 | -1): number {
  let at = from;
  while (digits[at] === '0') at += step;
  return at;
}

function exponentText(exponent: number): string {
  const digits = String(Math.abs(exponent));
  return exponent > 0 ? `B${digits.length}${digits}` : `A${inverted(`${digits.length}${digits}`)}`;
}

const INVERSES: Readonly<Record<string, string>> = { A: 'B', B: 'A' };

function inverted(text: string): string {
  return text.replaceAll(/./g, (character) => INVERSES[character] ?? String(9 - Number(character)));
}
