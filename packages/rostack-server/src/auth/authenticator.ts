import { aFunction, type OptionCheck, oneOf, optionsOf, type Principal } from 'rostack-core';

/** A way to authenticate, named as in the discovery document (protocol section 2, `authentication.methods`). */
export type AuthenticationMethod = Principal['method'];

/** A credential that was accepted: its principal and its expiry. Contains nothing of the token itself. */
export interface Credential {
  /** The principal that the credential stands for. */
  readonly principal: Principal;
  /** Time in ms since the epoch from which the credential is no longer valid; absent if it does not expire. */
  readonly expiresAtMs?: number;
  /** Identifies the credential at its issuer, for revocation and logs; never secret. */
  readonly credentialId?: string;
}

/** Why a credential was refused: for logs and metrics, never sent to clients. `missing`: none was sent although one is needed. */
export type RefusalReason =
  | 'missing'
  | 'malformed'
  | 'unknown'
  | 'expired'
  | 'revoked'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'bad_signature';

/** The outcome for a token: accepted, refused, or undecidable now. */
export type AuthenticationResult =
  | { readonly kind: 'authenticated'; readonly credential: Credential }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      /**
       * Which part of the credential is missing or wrong, such as `claim sub is missing`: for logs, never sent to clients; without its
       * values.
       */
      readonly detail?: string;
      /** `Credential.credentialId`, if the token was accepted before: for logs, never sent to clients. */
      readonly credentialId?: string;
    }
  /** Cannot be decided now: the token store or the authorization server does not answer. */
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number };

/** The result, or a refusal if its credential has expired by now. */
export function unlessExpired(result: AuthenticationResult, nowMs: number): AuthenticationResult {
  if (result.kind !== 'authenticated') return result;
  const { expiresAtMs, credentialId } = result.credential;
  if (expiresAtMs === undefined || expiresAtMs > nowMs) return result;
  return { kind: 'refused', reason: 'expired', ...(credentialId !== undefined && { credentialId }) };
}

/** A value, or a promise of it if it takes a query. */
export type Awaitable<T> = T | Promise<T>;

/** Accepts or refuses the tokens of one method, for HTTP requests and WebSocket sessions alike. */
export interface Authenticator {
  /** The method whose tokens it accepts; discovery has to list it. */
  readonly method: AuthenticationMethod;
  /** Checks a token as the client sent it, without its scheme name. Never throws because of a token's content. */
  authenticate(token: string, nowMs: number): Awaitable<AuthenticationResult>;
  /**
   * Checks a credential that was accepted earlier again; called at least every 5 s during a session, so that a revocation or a lost
   * permission is noticed in time. `unavailable` says nothing about the credential.
   */
  recheck(credential: Credential, nowMs: number): Awaitable<AuthenticationResult>;
}

/** Accepts an object of any class, also with further members, if its named members pass their checks. */
function optionsWithin<T extends object>(checks: Parameters<typeof optionsOf<T>>[0]): OptionCheck {
  const check = optionsOf<T>(checks);
  const names = Object.keys(checks);
  return (value, name) => {
    if (typeof value !== 'object' || value === null) return check(value, name);
    const members = value as Readonly<Record<string, unknown>>;
    return check(Object.fromEntries(names.map((each) => [each, members[each]])), name);
  };
}

export const anAuthenticator: OptionCheck = optionsWithin<Authenticator>({
  method: oneOf('oauth2', 'shared_token'),
  authenticate: aFunction,
  recheck: aFunction,
});
