const MAX_SHOWN_LENGTH = 80;

/** A piece of the caller's text for an error message: quoted, escaped, cut after 80 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text);
}

/** Bytes of the text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
    } else if (unit >= 0xd800 && unit <= 0xdbff && isTrail(text.charCodeAt(at + 1))) {
      // Two units already counted, four bytes in all.
      bytes += 2;
      at += 1;
    } else {
      bytes += 2;
    }
  }
  return bytes;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether the text needs more than `maxBytes` in UTF-8; counts bytes only if its length leaves it open. */
export function isLongerThan(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && utf8Length(text) > maxBytes;
}

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
