import {
  type Authenticator,
  createOAuthAuthenticator,
  createPrincipalIdDeriver,
  createSharedTokenAuthenticator,
} from 'rostack-server';
import type { TokenTable } from 'rostack-store';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { notingUses } from './noting-authenticator.ts';

export interface AuthenticatorParts {
  readonly tokens: TokenTable;
  readonly principalIdKey: Uint8Array;
  readonly log: (line: string) => void;
}

/** An authenticator for each method that the configuration switches on. */
export function configuredAuthenticators(
  { authentication: { sharedTokens, oauth2 } }: Pick<GatewayConfig, 'authentication'>,
  { tokens, principalIdKey, log }: AuthenticatorParts,
): readonly Authenticator[] {
  const principalId = createPrincipalIdDeriver(principalIdKey);
  const authenticators: Authenticator[] = [];
  if (sharedTokens) {
    authenticators.push(
      notingUses(createSharedTokenAuthenticator({ store: tokens, principalId }), tokens, log),
    );
  }
  if (oauth2 !== undefined) {
    const { metadataUrl, audience, issuer, scopeClaim, tokenType } = oauth2;
    authenticators.push(
      createOAuthAuthenticator({
        metadataUrl,
        audience,
        principalId,
        scopeClaim,
        tokenType: typeof tokenType === 'string' ? tokenType : false,
        ...(issuer !== undefined && { issuer }),
        onRefreshError: (error) =>
          log(
            `the keys of the authorization server cannot be read: ${error instanceof Error ? error.message : String(error)}`,
          ),
      }),
    );
  }
  return authenticators;
}
