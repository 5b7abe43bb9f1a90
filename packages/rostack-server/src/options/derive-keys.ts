import { hkdfSync } from 'node:crypto';
import { checkOptions, type OptionCheck } from 'rostack-core';
import { createPrincipalIdDeriver, type PrincipalIdDeriver } from '../auth/principal-id.ts';
import { MIN_KEY_BYTES } from '../guard/option-checks.ts';
import { AES_256_KEY_BYTES, type CursorKeys } from './cursor-keys.ts';

/** All secret keys that a server needs. */
export interface ServerKeys {
  /** For authenticators. */
  readonly principalId: PrincipalIdDeriver;
  /** For serving, such as with `serveRostack`. */
  readonly cursorKeys: CursorKeys;
}

/** Used by gateways from the start: changing it would change all principal ids. */
const SALT = 'rostack-gateway';

/** The message must not show the given value. */
const aSecret: OptionCheck = (value, name) => {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return bytes instanceof Uint8Array && bytes.byteLength >= MIN_KEY_BYTES
    ? undefined
    : `${name} is missing or too short: use a string or a Uint8Array of at least ${MIN_KEY_BYTES} random bytes`;
};

/**
 * Makes all keys of a server from one secret. Servers with the same secret have the same keys, and so does a rostack-gateway that has it as
 * `keys`. Another secret changes every principal id and invalidates all cursors handed out.
 * @param secret at least 32 random bytes; a text counts as UTF-8
 * @throws OptionsError `invalid_options`
 * @see RFC 5869, HKDF with SHA-256
 */
export function deriveKeys(secret: string | Uint8Array): ServerKeys {
  checkOptions(aSecret, secret, 'No keys can be derived', 'secret');
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', secret, SALT, purpose, AES_256_KEY_BYTES));
  return {
    principalId: createPrincipalIdDeriver(derive('principal-id')),
    cursorKeys: {
      pages: { current: { id: 1, bytes: derive('page-cursor') } },
      events: derive('event-cursor'),
    },
  };
}
