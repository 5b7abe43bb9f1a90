const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

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
