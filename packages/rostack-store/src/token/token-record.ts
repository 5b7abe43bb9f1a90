import { anInteger, aString, expecting, type JsonObject, listOf, optional, optionsOf } from 'rostack-core';

/** What the store keeps about one shared token: never the token itself. */
export interface TokenRecord {
  /** Public id, 1 to 128 characters. */
  readonly tokenId: string;
  /** One-way verifier of the token, 32 bytes. */
  readonly verifier: Uint8Array;
  /** Who the token is for. */
  readonly subject: string;
  /** Names of permissions. */
  readonly grants: readonly string[];
  /** Further statements about the principal, for row rules; undefined if there are none. */
  readonly claims: JsonObject | undefined;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Time at which the token expires; undefined if it does not. */
  readonly expiresAtMs: number | undefined;
  /** Milliseconds since 1970; undefined if it was not revoked. */
  readonly revokedAtMs: number | undefined;
  /** The last use, as recorded by `noteUse`. */
  readonly lastUsedAtMs: number | undefined;
}

/** A token to keep. */
export type NewToken = Pick<TokenRecord, 'tokenId' | 'verifier' | 'subject' | 'grants'> &
  Partial<Pick<TokenRecord, 'claims' | 'expiresAtMs'>>;

const VERIFIER_BYTES = 32;
const MAX_ID_LENGTH = 128;

// PostgreSQL cannot store U+0000 in a text.
export const tokenId = expecting(
  `a string of 1 to ${MAX_ID_LENGTH} characters without U+0000`,
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH && !value.includes('\u0000'),
);

export const newToken = optionsOf<NewToken>({
  tokenId,
  verifier: expecting(
    `the ${VERIFIER_BYTES} bytes of a verifier`,
    (value) => value instanceof Uint8Array && value.length === VERIFIER_BYTES,
  ),
  subject: aString,
  grants: listOf(aString),
  claims: optional(
    expecting(
      'a JSON object',
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    ),
  ),
  expiresAtMs: optional(anInteger(0)),
});
