export type {
  AuthenticationMethod,
  AuthenticationResult,
  Authenticator,
  Awaitable,
  Credential,
  RefusalReason,
} from './authenticator.ts';
export {
  createIntrospectionAuthenticator,
  type IntrospectionAuthenticatorOptions,
} from './oauth/introspection-authenticator.ts';
export { createOAuthAuthenticator, type OAuthAuthenticatorOptions } from './oauth/oauth-authenticator.ts';
export { createPrincipalIdDeriver, type PrincipalIdDeriver } from './principal-id.ts';
export {
  createSharedToken,
  createSharedTokenAuthenticator,
  type NewSharedToken,
  parseSharedToken,
  type SharedTokenAuthenticatorOptions,
  verifierOf,
} from './shared-token.ts';
export {
  MemorySharedTokenStore,
  type SharedTokenRecord,
  type SharedTokenStore,
} from './shared-token-store.ts';
