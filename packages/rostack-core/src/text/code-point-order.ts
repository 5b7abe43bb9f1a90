/**
 * Orders two strings by Unicode code point: negative, zero or positive.
 * JavaScript's own `<` goes by UTF-16 unit and puts U+1F600 before U+FF5E.
 * @see protocol section 6
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === length) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Moves the surrogates (code points from U+10000) above U+E000 to U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
