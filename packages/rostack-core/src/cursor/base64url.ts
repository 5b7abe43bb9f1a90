const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Map(Array.from(ALPHABET, (character, value) => [character, value]));

/** Bytes as base64url without padding (RFC 4648 section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  const characters: string[] = [];
  let buffered = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffered = ((buffered << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      characters.push(ALPHABET.charAt((buffered >> bits) & 63));
    }
  }
  if (bits > 0) characters.push(ALPHABET.charAt((buffered << (6 - bits)) & 63));
  return characters.join('');
}

/** The bytes of base64url text, or undefined when it is not exactly what `encodeBase64url` writes. */
export function decodeBase64url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let buffered = 0;
  let bits = 0;
  let length = 0;
  for (const character of text) {
    const value = VALUES.get(character);
    if (value === undefined) return undefined;
    buffered = ((buffered << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length] = (buffered >> bits) & 0xff;
      length += 1;
    }
  }
  const isCanonical = (buffered & ((1 << bits) - 1)) === 0;
  return isCanonical ? bytes : undefined;
}
