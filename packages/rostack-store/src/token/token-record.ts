import { aText, expecting, type JsonObject, listOf, optional, optionsOf, wholeNumber } from 'rostack-core';

/** What the store keeps of one shared token: never the token itself. */
export interface TokenRecord {
  /** Public id, 1 to 128 characters. */
  readonly tokenId: string;
  /** One-way verifier of the token, 32 bytes. */
  readonly verifier: Uint8Array;
  /** Whom the token speaks for. */
  readonly subject: string;
  /** Names of permissions. */
  readonly grants: readonly string[];
  /** What else is said of the principal, for row rules; undefined: nothing. */
  readonly claims: JsonObject | undefined;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** Time from which the token counts no more; undefined: it does not expire. */
  readonly expiresAtMs: number | undefined;
  /** Milliseconds since 1970; undefined: it was not revoked. */
  readonly revokedAtMs: number | undefined;
  /** As `noteUse` last wrote it. */
  readonly lastUsedAtMs: number | undefined;
}

/** A token to keep. */
export type NewToken = Pick<TokenRecord, 'tokenId' | 'verifier' | 'subject' | 'grants'> &
  Partial<Pick<TokenRecord, 'claims' | 'expiresAtMs'>>;

const VERIFIER_BYTES = 32;
const MAX_ID_LENGTH = 128;

export const tokenId = expecting(
  `a text of 1 to ${MAX_ID_LENGTH} characters`,
  (value) => typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH,
);

export const newToken = optionsOf<NewToken>({
  tokenId,
  verifier: expecting(
    `the ${VERIFIER_BYTES} bytes of a verifier`,
    (value) => value instanceof Uint8Array && value.length === VERIFIER_BYTES,
  ),
  subject: aText,
  grants: listOf(aText),
  claims: optional(
    expecting(
      'a JSON object',
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    ),
  ),
  expiresAtMs: optional(wholeNumber(0)),
});
