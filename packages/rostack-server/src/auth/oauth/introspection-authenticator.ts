import { hash } from 'node:crypto';
import {
  aFunction,
  aString,
  checkOptions,
  guardObserver,
  hasCode,
  type JsonObject,
  type OptionCheck,
  optional,
  optionsOf,
  type StrictJsonError,
} from 'rostack-core';
import { boundedCache } from '../../guard/bounded-cache.ts';
import { type AuthenticationResult, type Authenticator, unlessExpired } from '../authenticator.ts';
import {
  type AccessTokenOptions,
  accessTokenOptions,
  accessTokenRules,
  MAX_TOKEN_LENGTH,
  notNegative,
  positive,
} from './access-token-rules.ts';
import { fetchIntrospectionUrl, type Introspection, introspect, REFUSED } from './authorization-server.ts';
import { refusedFor } from './shown-fault.ts';

/** How opaque access tokens are checked: by asking the authorization server (RFC 7662). */
export interface IntrospectionAuthenticatorOptions extends AccessTokenOptions {
  /** Client id of this API at the introspection endpoint (`client_secret_basic`). */
  readonly clientId: string;
  /** The secret of `clientId`; sent to the introspection endpoint only. */
  readonly clientSecret: string;
  /**
   * How long an answer is cached, in ms; at least 0. A revoked token may still be accepted for this long.
   * @default 10000
   */
  readonly cacheMs?: number;
  /**
   * Most answers cached, for accepted and for refused tokens each; at least 1. Guessed tokens do not displace accepted ones.
   * @default 10000
   */
  readonly maxCachedTokens?: number;
  /**
   * Called with each failed request to the endpoint.
   * @default not called
   */
  readonly onError?: (error: unknown) => void;
}

const authenticatorOptions: OptionCheck = optionsOf<IntrospectionAuthenticatorOptions>({
  ...accessTokenOptions,
  clientId: aString,
  clientSecret: aString,
  cacheMs: notNegative,
  maxCachedTokens: positive,
  onError: optional(aFunction),
});

/** The cached result for a token, and its expiry. */
interface KnownToken {
  readonly token: string;
  readonly result: Promise<AuthenticationResult>;
  readonly untilMs: number;
}

/**
 * Accepts OAuth 2.0 access tokens that only their authorization server can read (opaque ones), by asking its introspection endpoint; their
 * scopes are the principal's permissions. A revoked token ends its subscriptions once the cached answer has expired.
 * @throws OptionsError `invalid_options` when an option is wrong: which, and what to use
 * @see RFC 7662, protocol section 4
 */
export function createIntrospectionAuthenticator(options: IntrospectionAuthenticatorOptions): Authenticator {
  checkOptions(authenticatorOptions, options, REFUSED);
  const rules = accessTokenRules(options);
  const { metadataUrl, issuer, audience, clockToleranceMs, retryAfterMs, fetching } = rules;
  const { clientId, clientSecret, cacheMs = 10_000 } = options;
  const onError = guardObserver(options.onError ?? (() => {}), () => {});
  const max = options.maxCachedTokens ?? 10_000;
  const accepted = boundedCache<KnownToken>(max);
  const others = boundedCache<KnownToken>(max);
  let endpoint: Promise<URL> | undefined;
  /** Until then the endpoint counts as hanging, and no further request waits for it. */
  let hangsUntilMs = 0;

  function endpointUrl(): Promise<URL> {
    endpoint ??= fetchIntrospectionUrl(metadataUrl, issuer, fetching).catch((error: unknown) => {
      endpoint = undefined;
      throw error;
    });
    return endpoint;
  }

  async function ask(token: string, nowMs: number): Promise<AuthenticationResult> {
    const leftMs = hangsUntilMs - nowMs;
    // More time is only left if the clock was set back.
    if (leftMs > 0 && leftMs <= fetching.timeoutMs + retryAfterMs)
      return { kind: 'unavailable', retryAfterMs: leftMs };
    try {
      const answer = await introspect(await endpointUrl(), token, { clientId, clientSecret }, fetching);
      return judge(answer, hash('sha256', token, 'base64url'), nowMs);
    } catch (error) {
      onError(error);
      if (isTimeout(error)) hangsUntilMs = nowMs + fetching.timeoutMs + retryAfterMs;
      // The claims decide what the principal may see, so a duplicate claim, or a number that a double would round, refuses the token.
      if (hasCode<StrictJsonError>(error, 'invalid_json') && error.fault.check !== 'json')
        return { kind: 'refused', reason: 'malformed' };
      return { kind: 'unavailable', retryAfterMs };
    }
  }

  function judge(answer: Introspection, tokenId: string, nowMs: number): AuthenticationResult {
    const { active, iss, aud, exp, nbf, sub, client_id } = answer;
    const subject = sub ?? client_id;
    if (!active) return { kind: 'refused', reason: 'unknown' };
    if (iss !== undefined && iss !== issuer) return refusedFor('wrong_issuer', 'iss', iss);
    if (![aud].flat().includes(audience)) return refusedFor('wrong_audience', 'aud', aud);
    if (subject === undefined || subject === '') return refusedFor('malformed', 'sub', undefined);
    if (nbf !== undefined && nbf * 1_000 > nowMs + clockToleranceMs) return refusedFor('unknown', 'nbf', nbf);
    // Safe because it was parsed from JSON.
    const credential = rules.credentialOf(answer as JsonObject, subject, exp, tokenId);
    return { kind: 'authenticated', credential };
  }

  async function check(token: string, tokenId: string, nowMs: number): Promise<AuthenticationResult> {
    const known = others.get(tokenId) ?? accepted.get(tokenId);
    const isYoung = known !== undefined && known.untilMs > nowMs && known.untilMs <= nowMs + cacheMs;
    const asked = isYoung ? known : { token, result: ask(token, nowMs), untilMs: nowMs + cacheMs };
    if (!isYoung) others.set(tokenId, asked);
    const result = await asked.result;
    // A token whose introspection failed is introspected again.
    if (result.kind !== 'refused' && others.get(tokenId) === asked) others.delete(tokenId);
    if (result.kind === 'authenticated') accepted.set(tokenId, asked);
    if (result.kind === 'refused') accepted.delete(tokenId);
    return unlessExpired(result, nowMs);
  }

  return {
    method: 'oauth2',
    async authenticate(token, nowMs) {
      if (token.length > MAX_TOKEN_LENGTH) return { kind: 'refused', reason: 'malformed' };
      return check(token, hash('sha256', token, 'base64url'), nowMs);
    },
    async recheck(credential, nowMs) {
      const { credentialId = '' } = credential;
      const found = others.get(credentialId) ?? accepted.get(credentialId);
      return found === undefined
        ? unlessExpired({ kind: 'authenticated', credential }, nowMs)
        : check(found.token, credentialId, nowMs);
    },
  };
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';
