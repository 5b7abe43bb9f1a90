import {
  aFunction,
  anInteger,
  aString,
  guardObserver,
  type JsonObject,
  type OptionChecks,
  optional,
} from 'rostack-core';
import type { Credential } from '../authenticator.ts';
import { cohortOrSubject, type PrincipalIdDeriver } from '../principal-id.ts';
import {
  aSecureUrl,
  type FetchOptions,
  issuerOfMetadataUrl,
  parseSecureUrl,
} from './authorization-server.ts';
import { scopesOf, someScopeClaims } from './scope-claims.ts';

/** How access tokens of an authorization server become principals, however they are checked. */
export interface AccessTokenOptions {
  /** https URL of the authorization server's metadata (RFC 8414); http only on loopback. */
  readonly metadataUrl: string;
  /** Identifier that an access token's `aud` must contain: this API, as the authorization server knows it. */
  readonly audience: string;
  /** Derives the `principal_id` from issuer and subject; see `createPrincipalIdDeriver`. */
  readonly principalId: PrincipalIdDeriver;
  /** @default the issuer that the metadata URL belongs to */
  readonly issuer?: string;
  /**
   * Claims that contain the scopes, which are combined: names such as `scp`, or JSON Pointers such as `/realm_access/roles`. Each claim is
   * a string, separated by spaces, or a list.
   * @default 'scope'
   */
  readonly scopeClaim?: string | readonly string[];
  /**
   * Claim that names a cohort: all credentials of one cohort have the same principal. If it is not a string, or empty, the subject is used.
   * @default none
   */
  readonly cohortClaim?: string;
  /**
   * Tolerated difference between the two clocks, in ms; at least 0. A token is accepted for this long after it has expired.
   * @default 60000
   */
  readonly clockToleranceMs?: number;
  /**
   * Longest wait for the authorization server, in ms; at least 1.
   * @default 5000
   */
  readonly timeoutMs?: number;
  /**
   * When clients should try again while the authorization server is needed and does not answer, in ms; at least 0.
   * @default 5000
   */
  readonly retryAfterMs?: number;
  /**
   * Called for an accepted token that has none of the claims of `scopeClaim`, so that its principal has no permissions.
   * @default not called
   */
  readonly onScopesMissing?: () => void;
  /** @default the platform's fetch */
  readonly fetch?: typeof globalThis.fetch;
}

/** An optional integer, at least 1. */
export const positive = optional(anInteger(1));
/** An optional integer, at least 0. */
export const notNegative = optional(anInteger(0));

/** A check for each of `AccessTokenOptions`. */
export const accessTokenOptions: OptionChecks<AccessTokenOptions> = {
  metadataUrl: aSecureUrl,
  audience: aString,
  principalId: aFunction,
  issuer: optional(aString),
  scopeClaim: optional(someScopeClaims),
  cohortClaim: optional(aString),
  clockToleranceMs: notNegative,
  timeoutMs: positive,
  retryAfterMs: notNegative,
  onScopesMissing: optional(aFunction),
  fetch: optional(aFunction),
};

/** A longer token is refused without being parsed. */
export const MAX_TOKEN_LENGTH = 16_384;

/** `AccessTokenOptions` with their defaults. */
export interface AccessTokenRules {
  readonly metadataUrl: URL;
  readonly issuer: string;
  readonly audience: string;
  readonly clockToleranceMs: number;
  readonly retryAfterMs: number;
  readonly fetching: FetchOptions;
  /** The credential of an accepted token. @param subject not empty @param expiresAt seconds since 1970 */
  credentialOf(claims: JsonObject, subject: string, expiresAt: number | undefined, id?: string): Credential;
}

/** @throws OptionsError `invalid_options` if the issuer cannot be derived from the metadata URL */
export function accessTokenRules(options: AccessTokenOptions): AccessTokenRules {
  const { audience, principalId, scopeClaim = 'scope', cohortClaim, clockToleranceMs = 60_000 } = options;
  const metadataUrl = parseSecureUrl(options.metadataUrl);
  const issuer = options.issuer ?? issuerOfMetadataUrl(metadataUrl);
  const onScopesMissing = guardObserver(options.onScopesMissing ?? (() => {}), () => {});
  return {
    metadataUrl,
    issuer,
    audience,
    clockToleranceMs,
    retryAfterMs: options.retryAfterMs ?? 5_000,
    fetching: { fetch: options.fetch ?? globalThis.fetch, timeoutMs: options.timeoutMs ?? 5_000 },
    credentialOf: (claims, subject, expiresAt, id) => {
      const scopes = scopesOf(claims, scopeClaim);
      if (scopes === undefined) onScopesMissing();
      return {
        principal: {
          id: principalId('oauth2', issuer, ...cohortOrSubject(claims, cohortClaim, subject)),
          method: 'oauth2',
          permissions: new Set(scopes),
          claims,
        },
        ...(expiresAt !== undefined && { expiresAtMs: expiresAt * 1_000 + clockToleranceMs }),
        ...(id !== undefined && { credentialId: id }),
      };
    },
  };
}
