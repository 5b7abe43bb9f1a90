import { LRUCache } from 'lru-cache';
import {
  type AuthenticationResult,
  type Authenticator,
  createIntrospectionAuthenticator,
  createOAuthAuthenticator,
  createSharedTokenAuthenticator,
  type PrincipalIdDeriver,
} from 'rostack-server';
import type { TokenTable } from 'rostack-store';
import type { GatewayConfig, OAuthConfig } from '../../config/model/gateway-config.ts';
import { errorMessage } from '../../text/error-message.ts';

/** What authenticators need of the store's tokens. */
export type SharedTokens = Pick<TokenTable, 'find' | 'noteUse'>;

export interface AuthenticatorParts {
  readonly tokens: SharedTokens;
  readonly principalId: PrincipalIdDeriver;
  /** How long a shared token may be cached, in ms. @default that of rostack-server */
  readonly tokenCacheMs?: number;
  readonly log: (line: string) => void;
}

/** An authenticator for each method that the configuration enables. */
export function configuredAuthenticators(
  {
    authentication: { sharedTokens, cohortClaim, oauth2 },
    store,
  }: Pick<GatewayConfig, 'authentication' | 'store'>,
  { tokens, principalId, tokenCacheMs, log }: AuthenticatorParts,
): readonly Authenticator[] {
  const authenticators: Authenticator[] = [];
  if (sharedTokens) {
    const authenticator = createSharedTokenAuthenticator({
      store: tokens,
      principalId,
      ...(cohortClaim !== undefined && { cohortClaim }),
      ...(tokenCacheMs !== undefined && { cacheMs: tokenCacheMs }),
    });
    authenticators.push(store.role === 'replica' ? authenticator : notingUses(authenticator, tokens, log));
  }
  for (const server of oauth2) authenticators.push(oauthAuthenticator(server, principalId, log));
  return authenticators;
}

function oauthAuthenticator(
  { introspection, issuer, cohortClaim, tokenType, ...server }: OAuthConfig,
  principalId: PrincipalIdDeriver,
  log: (line: string) => void,
): Authenticator {
  const common = {
    ...server,
    principalId,
    onScopesMissing: once(() =>
      log(
        `a token has none of the claims ${[server.scopeClaim].flat().join(', ')}, so it has no permissions: see scope_claim of the authorization server with the audience ${server.audience}`,
      ),
    ),
    ...(issuer !== undefined && { issuer }),
    ...(cohortClaim !== undefined && { cohortClaim }),
  };
  if (introspection !== undefined) {
    return createIntrospectionAuthenticator({
      ...common,
      ...introspection,
      onError: (error) => log(`the authorization server cannot be asked: ${errorMessage(error)}`),
    });
  }
  return createOAuthAuthenticator({
    ...common,
    tokenType: typeof tokenType === 'string' ? tokenType : false,
    onRefreshError: (error) =>
      log(`the keys of the authorization server cannot be read: ${errorMessage(error)}`),
  });
}

function once(tell: () => void): () => void {
  let isTold = false;
  return () => {
    if (!isTold) tell();
    isTold = true;
  };
}

/** The use of a token is written at most this often. */
export const USE_RESOLUTION_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Wraps an authenticator so that the store records when each token was last accepted. */
export function notingUses(
  authenticator: Authenticator,
  tokens: Pick<SharedTokens, 'noteUse'>,
  log: (line: string) => void,
): Authenticator {
  const notedAtMs = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  function noteWhenKnown(
    result: AuthenticationResult | Promise<AuthenticationResult>,
    nowMs: number,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    return result instanceof Promise ? result.then((known) => note(known, nowMs)) : note(result, nowMs);
  }

  function note(result: AuthenticationResult, nowMs: number): AuthenticationResult {
    const tokenId = result.kind === 'authenticated' ? result.credential.credentialId : undefined;
    if (tokenId === undefined || nowMs - (notedAtMs.get(tokenId) ?? 0) < USE_RESOLUTION_MS) return result;
    notedAtMs.set(tokenId, nowMs);
    tokens.noteUse(tokenId, USE_RESOLUTION_MS).catch((error: unknown) => {
      log(`the last use of token ${tokenId} is not kept: ${errorMessage(error)}`);
    });
    return result;
  }

  return {
    method: authenticator.method,
    authenticate: (token, nowMs) => noteWhenKnown(authenticator.authenticate(token, nowMs), nowMs),
    recheck: (credential, nowMs) => noteWhenKnown(authenticator.recheck(credential, nowMs), nowMs),
  };
}
