import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import {
  aFunction,
  aString,
  checkOptions,
  guardObserver,
  type JsonObject,
  listOf,
  type OptionCheck,
  OptionsError,
  optional,
  optionsOf,
  parseStrictJson,
} from 'rostack-core';
import { boundedCache } from '../../guard/bounded-cache.ts';
import {
  type AuthenticationResult,
  type Authenticator,
  type Credential,
  unlessExpired,
} from '../authenticator.ts';
import {
  type AccessTokenOptions,
  type AccessTokenRules,
  accessTokenOptions,
  accessTokenRules,
  MAX_TOKEN_LENGTH,
  notNegative,
  positive,
} from './access-token-rules.ts';
import { REFUSED } from './authorization-server.ts';
import { IssuerKeys, IssuerUnavailableError, type KeySet } from './issuer-keys.ts';
import { type Refused, refusedFor, type ShownRules, shownFault } from './shown-fault.ts';

const ASYMMETRIC_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const DEFAULT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** How to verify access tokens that are JWTs: with the keys of the authorization server (RFC 9068). */
export interface OAuthAuthenticatorOptions extends AccessTokenOptions {
  /** Signature algorithms accepted; asymmetric ones only. @default RS256, PS256, ES256, EdDSA, Ed25519 */
  readonly algorithms?: readonly string[];
  /** The `typ` that a token must have, such as `JWT`, or false for any. @default 'at+jwt' (RFC 9068) */
  readonly tokenType?: string | false;
  /**
   * Age from which the keys are read again in the background, in ms; at least 1.
   * @default 600000
   */
  readonly refreshAfterMs?: number;
  /**
   * Least time between two reads for the same unknown key, in ms; at least 0.
   * @default 5000
   */
  readonly refetchCooldownMs?: number;
  /**
   * Most accepted tokens cached, so that each signature is verified once; at least 1.
   * @default 10000
   */
  readonly maxCachedTokens?: number;
  /**
   * Called with each failed read of the keys.
   * @default not called
   */
  readonly onRefreshError?: (error: unknown) => void;
}

const authenticatorOptions: OptionCheck = optionsOf<OAuthAuthenticatorOptions>({
  ...accessTokenOptions,
  algorithms: optional(listOf(aString)),
  tokenType: optional((value, name) => (value === false ? undefined : aString(value, name))),
  refreshAfterMs: positive,
  refetchCooldownMs: notNegative,
  maxCachedTokens: positive,
  onRefreshError: optional(aFunction),
});

/**
 * Accepts OAuth 2.0 access tokens that are JWTs of the authorization server with this metadata; their scopes are the principal's
 * permissions. A token cannot be revoked before it expires, so they should be short-lived.
 * @throws OptionsError `invalid_options` when an option is wrong: which, and what to use
 * @see RFC 8414, RFC 9068, protocol section 4
 */
export function createOAuthAuthenticator(options: OAuthAuthenticatorOptions): Authenticator {
  checkOptions(authenticatorOptions, options, REFUSED);
  const rules = accessTokenRules(options);
  const { metadataUrl, issuer, audience, clockToleranceMs, retryAfterMs } = rules;
  const { tokenType = 'at+jwt', maxCachedTokens = 10_000 } = options;
  const keys = new IssuerKeys({
    ...rules.fetching,
    metadataUrl,
    issuer,
    refreshAfterMs: options.refreshAfterMs ?? 600_000,
    refetchCooldownMs: options.refetchCooldownMs ?? 5_000,
    onRefreshError: guardObserver(options.onRefreshError ?? (() => {}), () => {}),
  });
  const algorithms = pinnedAlgorithms(options.algorithms ?? DEFAULT_ALGORITHMS);
  const shown: ShownRules = { issuer, audience, algorithms, clockToleranceMs };
  const verification: JWTVerifyOptions = {
    issuer,
    audience,
    algorithms,
    clockTolerance: clockToleranceMs / 1_000,
    requiredClaims: ['exp', 'sub'],
    ...(tokenType === false ? {} : { typ: tokenType }),
  };
  const cache = boundedCache<{ readonly keySet: KeySet; readonly accepted: Accepted }>(maxCachedTokens);

  async function verify(token: string, keySet: KeySet, nowMs: number): Promise<Accepted> {
    await verifyWithAnyKey(token, keySet.getKey, { ...verification, currentDate: new Date(nowMs) });
    return { kind: 'authenticated', credential: credentialOf(payloadOf(token), rules) };
  }

  async function check(token: string, nowMs: number): Promise<AuthenticationResult> {
    const cacheKey = hash('sha256', token, 'base64url');
    const known = cache.get(cacheKey);
    const fault = known === undefined ? shownFault(token, shown, nowMs) : undefined;
    if (fault !== undefined) return fault;
    const keySet = await keys.current(nowMs);
    if (known?.keySet === keySet) return unlessExpired(known.accepted, nowMs);
    let used = keySet;
    let accepted: Accepted;
    try {
      accepted = await verify(token, used, nowMs);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await keys.newerThan(keySet, decodeProtectedHeader(token).kid ?? '', nowMs);
      if (newer === undefined) throw error;
      used = newer;
      accepted = await verify(token, used, nowMs);
    }
    cache.set(cacheKey, { keySet: used, accepted });
    return accepted;
  }

  return {
    method: 'oauth2',
    async authenticate(token, nowMs) {
      if (token.length > MAX_TOKEN_LENGTH)
        return {
          kind: 'refused',
          reason: 'malformed',
          detail: `it is longer than ${MAX_TOKEN_LENGTH} characters`,
        };
      try {
        return await check(token, nowMs);
      } catch (error) {
        if (error instanceof IssuerUnavailableError) return { kind: 'unavailable', retryAfterMs };
        return refusalOf(error);
      }
    },
    async recheck(credential, nowMs) {
      return unlessExpired({ kind: 'authenticated', credential }, nowMs);
    },
  };
}

type Accepted = Extract<AuthenticationResult, { kind: 'authenticated' }>;

/** A token without `kid` may fit several keys: jose then yields them one by one. */
async function verifyWithAnyKey(
  token: string,
  getKey: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<void> {
  try {
    await jwtVerify(token, getKey, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        await jwtVerify(token, key, options);
        return;
      } catch (attempt) {
        if (!(attempt instanceof errors.JWSSignatureVerificationFailed)) throw attempt;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/**
 * The payload of a verified token. Its claims decide what the principal may see, so a duplicate claim, or a number that a double would
 * round, refuses the token.
 * @throws StrictJsonError `invalid_json`
 */
function payloadOf(token: string): JWTPayload {
  const [, payload = ''] = token.split('.');
  return parseStrictJson(Buffer.from(payload, 'base64url').toString('utf8')) as JWTPayload;
}

function credentialOf(payload: JWTPayload, rules: AccessTokenRules): Credential {
  const { sub, exp, jti } = payload;
  if (typeof sub !== 'string' || sub === '') throw new errors.JWTInvalid('the subject is not a string');
  // Safe because it was parsed from JSON.
  return rules.credentialOf(payload as JsonObject, sub, exp, typeof jti === 'string' ? jti : undefined);
}

function pinnedAlgorithms(algorithms: readonly string[]): string[] {
  const wrong = algorithms.filter((algorithm) => !ASYMMETRIC_ALGORITHMS.includes(algorithm));
  if (algorithms.length > 0 && wrong.length === 0) return [...algorithms];
  throw new OptionsError(REFUSED, [
    `algorithms must name at least one of ${ASYMMETRIC_ALGORITHMS.join(', ')}, and nothing else.`,
  ]);
}

function refusalOf(error: unknown): Refused {
  if (error instanceof errors.JWTExpired) return { kind: 'refused', reason: 'expired' };
  if (error instanceof errors.JWKSNoMatchingKey)
    return { kind: 'refused', reason: 'bad_signature', detail: 'no key of the issuer has its kid and alg' };
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return { kind: 'refused', reason: 'bad_signature' };
  if (!(error instanceof errors.JWTClaimValidationFailed)) return { kind: 'refused', reason: 'malformed' };
  const { claim, reason } = error;
  return refusedFor('malformed', claim, reason === 'missing' ? undefined : claim);
}
