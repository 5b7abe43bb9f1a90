import type { AuthenticationMethod } from 'rostack-core';
import { SHARED_TOKEN_SCHEME } from 'rostack-core/client';
import { UsageError } from '../../http/error/errors.ts';

/** What proves who the client is (protocol section 4). */
export interface Credential {
  /** `shared_token` or `oauth2`, one that the server advertises. */
  readonly method: AuthenticationMethod;
  /**
   * The token alone, without the name of its scheme. It is sent in a header field or the first message, never in a
   * URL.
   */
  readonly token: string;
}

/**
 * Why a credential is asked for: the first one, another one before the current one expires, or another one because the
 * server refused the current one.
 */
export type CredentialReason = 'initial' | 'expiring' | 'refused';

/** Gives credentials; called again whenever another one is needed, never twice at once. */
export type CredentialsCallback = (request: {
  readonly reason: CredentialReason;
  /** Aborted when the client is closed. */
  readonly signal: AbortSignal;
}) => Credential | Promise<Credential>;

/** One fixed credential, or a callback that gives and renews credentials. */
export type Credentials = Credential | CredentialsCallback;

/** RFC 6750 section 2.1 b64token, and every other visible character; no space, so that nothing can follow the token. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

/** @throws UsageError `invalid_options`; its message never holds the token */
export function checkCredential(credential: Credential): Credential {
  if (typeof credential !== 'object' || credential === null) {
    throw new UsageError(
      "there are no credentials: give { method: 'shared_token', token } or { method: 'oauth2', token } after the URL, or a callback that gives one of these",
    );
  }
  if (credential.method !== 'oauth2' && credential.method !== 'shared_token') {
    throw new UsageError('the method of a credential is neither "oauth2" nor "shared_token"');
  }
  if (typeof credential.token !== 'string' || !TOKEN.test(credential.token)) {
    throw new UsageError('a token is 1 to 16,384 visible ASCII characters');
  }
  return credential;
}

/** Value of the `Authorization` header field. */
export function authorizationOf({ method, token }: Credential): string {
  return `${method === 'oauth2' ? 'Bearer' : SHARED_TOKEN_SCHEME} ${token}`;
}
