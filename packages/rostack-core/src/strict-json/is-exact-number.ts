const CHAR_0 = 48;
/** A decimal of so many digits, with an exponent of at most two, comes back from a double as it was. */
const SAFE_LENGTH = 15;
const PLAIN = /^[-\d.]+$/;

/**
 * Whether a double keeps the number that a JSON number text says: printed again it is the same number, in another notation perhaps.
 * `1.0`, `1e2` and `0.1` are exact; `9007199254740993`, `0.10000000000000000555` and `1e400` are not.
 */
export function isExactNumber(text: string): boolean {
  if (text.length <= SAFE_LENGTH && PLAIN.test(text)) return true;
  const value = Number(text);
  return Number.isFinite(value) && significantOf(text) === significantOf(String(value));
}

/** Significant digits and exponent: equal for texts of the same magnitude. The sign is never lost, so it does not count. */
function significantOf(text: string): string {
  const [mantissa = '', exponent = '0'] = (text.startsWith('-') ? text.slice(1) : text).split(/e/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let start = 0;
  while (digits.charCodeAt(start) === CHAR_0) start += 1;
  let end = digits.length;
  while (end > start && digits.charCodeAt(end - 1) === CHAR_0) end -= 1;
  if (start === end) return '0';
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
