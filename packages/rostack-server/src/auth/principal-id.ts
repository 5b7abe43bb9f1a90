import { createHmac } from 'node:crypto';
import type { AuthenticationMethod } from './authenticator.ts';

const MIN_KEY_BYTES = 32;
const ID_BYTES = 18;

/** Turns an internal identity into a `principal_id`: the same for the same identity and key, and telling nothing of it. */
export type PrincipalIdDeriver = (method: AuthenticationMethod, ...identity: readonly string[]) => string;

/**
 * Derives principal ids with HMAC-SHA-256: 24 characters of base64url, stable as long as the key stays.
 * @param key secret of at least 32 bytes; changing it changes every principal id
 * @throws RangeError when the key is too short
 * @see protocol section 4, `principal_id`
 */
export function createPrincipalIdDeriver(key: Uint8Array): PrincipalIdDeriver {
  if (key.byteLength < MIN_KEY_BYTES) {
    throw new RangeError(
      `The principal id key needs at least ${MIN_KEY_BYTES} bytes; it has ${key.byteLength}.`,
    );
  }
  return (method, ...identity) =>
    createHmac('sha256', key)
      .update(JSON.stringify([method, ...identity]))
      .digest()
      .subarray(0, ID_BYTES)
      .toString('base64url');
}
