import { type AeadFactory, aes256Gcm } from './aead.ts';
import { decodeBase64url, encodeBase64url } from './base64url.ts';

// The encoder of every platform, named here because no platform's types are at hand.
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array };

/** What page cursors are made with. A platform's own fits here and is faster than `portableCursorPlatform`. */
export interface CursorPlatform {
  /** AES-256-GCM. */
  readonly cipher: AeadFactory;
  readonly encodeUtf8: (text: string) => Uint8Array;
  /** All of the parts as one base64url text without padding (RFC 4648 section 5). */
  readonly encodeBase64url: (parts: readonly Uint8Array[]) => string;
  /** The bytes of a text; undefined when it is not exactly what `encodeBase64url` writes. */
  readonly decodeBase64url: (text: string) => Uint8Array | undefined;
}

const encoder = new TextEncoder();

/** Runs everywhere. */
export const portableCursorPlatform: CursorPlatform = {
  cipher: aes256Gcm,
  encodeUtf8: (text) => encoder.encode(text),
  encodeBase64url: (parts) => encodeBase64url(joined(parts)),
  decodeBase64url,
};

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let length = 0;
  for (const part of parts) {
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}
