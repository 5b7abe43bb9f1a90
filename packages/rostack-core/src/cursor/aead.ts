import { gcm } from '@noble/ciphers/aes.js';

/** Authenticated encryption with AES-256-GCM under one key. */
export interface Aead {
  /** @returns the ciphertext and its 16-byte tag */
  seal(nonce: Uint8Array, additionalData: Uint8Array, plaintext: Uint8Array): Uint8Array;
  /** @throws Error when the text was not sealed with this key, nonce and additional data */
  open(nonce: Uint8Array, additionalData: Uint8Array, sealed: Uint8Array): Uint8Array;
}

/** Makes the cipher of a key of 32 bytes. */
export type AeadFactory = (key: Uint8Array) => Aead;

/** AES-256-GCM (NIST SP 800-38D) that runs everywhere. */
export const aes256Gcm: AeadFactory = (key) => ({
  seal: (nonce, additionalData, plaintext) => gcm(key, nonce, additionalData).encrypt(plaintext),
  open: (nonce, additionalData, sealed) => gcm(key, nonce, additionalData).decrypt(sealed),
});
