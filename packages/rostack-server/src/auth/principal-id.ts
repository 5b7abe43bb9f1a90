import { createHmac } from 'node:crypto';
import { checkOptions, type JsonObject } from 'rostack-core';
import { aSecretKey } from '../guard/option-checks.ts';
import type { AuthenticationMethod } from './authenticator.ts';

const ID_BYTES = 18;

/** Turns an internal identity into a `principal_id`: always the same for the same identity and key, and revealing nothing about it. */
export type PrincipalIdDeriver = (method: AuthenticationMethod, ...identity: readonly string[]) => string;

/**
 * Derives principal ids with HMAC-SHA-256: 24 characters of base64url, stable as long as the key is.
 * @param key secret of at least 32 bytes; changing it changes every principal id
 * @throws OptionsError `invalid_options` if the key is not a Uint8Array, or too short
 * @see protocol section 4, `principal_id`
 */
export function createPrincipalIdDeriver(key: Uint8Array): PrincipalIdDeriver {
  checkOptions(aSecretKey, key, 'No principal ids can be derived', 'key');
  return (method, ...identity) =>
    createHmac('sha256', key)
      .update(JSON.stringify([method, ...identity]))
      .digest()
      .subarray(0, ID_BYTES)
      .toString('base64url');
}

/** The identity behind a credential: the cohort that a claim names, else its subject. The two never yield the same id. */
export function cohortOrSubject(
  claims: JsonObject | undefined,
  cohortClaim: string | undefined,
  subject: string,
): readonly string[] {
  const cohort = cohortClaim === undefined ? undefined : claims?.[cohortClaim];
  return typeof cohort === 'string' && cohort !== '' ? ['cohort', cohort] : [subject];
}
