import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'rostack_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_BYTES = 8;
const SECRET_BYTES = 32;
const CHECKSUM_BYTES = 4;
const ID_LENGTH = base62Length(ID_BYTES);
const SECRET_LENGTH = base62Length(SECRET_BYTES);
const CHECKSUM_LENGTH = base62Length(CHECKSUM_BYTES);
const TOKEN = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}}_([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** A new shared token: the text for its holder, and what the server keeps of it. */
export interface NewSharedToken {
  /** The secret; show it once, keep it nowhere. */
  readonly token: string;
  /** Public name of the token: the part after the prefix. */
  readonly tokenId: string;
  /** SHA-256 of the token, 32 bytes: all that the server keeps. */
  readonly verifier: Uint8Array;
}

/**
 * Makes a shared token of 256 random bits: `rostack_<id>_<secret>_<checksum>`, letters, digits and `_` only, so
 * that secret scanners recognise it and a mistyped one is refused without a look-up.
 * @see protocol section 4
 */
export function createSharedToken(): NewSharedToken {
  const tokenId = encodeBase62(randomBytes(ID_BYTES));
  const unchecked = `${PREFIX}${tokenId}_${encodeBase62(randomBytes(SECRET_BYTES))}`;
  const token = `${unchecked}_${checksumOf(unchecked)}`;
  return { token, tokenId, verifier: verifierOf(token) };
}

/** The token's public id, or undefined when the text is no whole shared token (form or checksum). */
export function parseSharedToken(token: string): string | undefined {
  const match = TOKEN.exec(token);
  if (match === null) return undefined;
  const unchecked = token.slice(0, -(CHECKSUM_LENGTH + 1));
  return checksumOf(unchecked) === match[2] ? match[1] : undefined;
}

/** The one-way verifier of a token: SHA-256, enough for a secret of 256 random bits. */
export function verifierOf(token: string): Uint8Array {
  // Four times as fast as asking for a buffer.
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}

function checksumOf(text: string): string {
  let value = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = ALPHABET.charAt(value % 62) + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

function encodeBase62(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (value > 0n) {
    text = `${ALPHABET.charAt(Number(value % 62n))}${text}`;
    value /= 62n;
  }
  return text.padStart(base62Length(bytes.byteLength), '0');
}

function base62Length(bytes: number): number {
  return Math.ceil((bytes * 8) / Math.log2(62));
}
